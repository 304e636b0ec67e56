// SPDX-License-Identifier: MIT
// aio::Cancelled: what a wait throws when its task is cancelled. It is no std::exception, so that
// `catch (const std::exception&)` lets a cancellation through.
#pragma once

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <exception>

namespace aio {

/// Thrown by a wait that was cancelled; deliberately not a std::exception.
/// Cancel: is delivered once; a coroutine that catches it may go on and wait again.
struct Cancelled {};

/// Thrown into an AsyncGenerator at its `co_yield` when it is closed; no std::exception either.
struct GeneratorExit {};

/// Whether `error` is a cancellation: aio::Cancelled, or Asio's own `operation_aborted`.
/// Errors: none; a null pointer is no cancellation.
inline bool is_cancellation(const std::exception_ptr& error) noexcept {
  if (!error) return false;
  try {
    std::rethrow_exception(error);
  } catch (const Cancelled&) {
    return true;
  } catch (const boost::system::system_error& failure) {
    return failure.code() == boost::asio::error::operation_aborted;
  } catch (...) {
    return false;
  }
}

}  // namespace aio
