// SPDX-License-Identifier: MIT
// Boost.Asio's own code, compiled once for the runner instead of with every submission.
#include <boost/asio/impl/src.hpp>
