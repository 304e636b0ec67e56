// SPDX-License-Identifier: MIT
// What every submission's translation unit includes, precompiled once.
#pragma once

#include "aio/aio.hpp"
#include "driver/runner/exercise.hpp"

#include <boost/asio.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>
