// SPDX-License-Identifier: MIT
// Everything in aio. `asio` is short for boost::asio in the exercises.
#pragma once

#include "aclosing.hpp"
#include "async_generator.hpp"
#include "async_iterator.hpp"
#include "cancelled.hpp"
#include "context_var.hpp"
#include "error.hpp"
#include "event.hpp"
#include "exception_group.hpp"
#include "limit.hpp"
#include "queue.hpp"
#include "repr.hpp"
#include "retry_on.hpp"
#include "run.hpp"
#include "semaphore.hpp"
#include "sleep.hpp"
#include "task.hpp"
#include "task_group.hpp"
#include "timeout.hpp"
#include "type_name.hpp"

#include <boost/asio/awaitable.hpp>

namespace asio = boost::asio;
