// SPDX-License-Identifier: MIT
// Asio's resolver without its thread. Asio looks names up in a thread of its own, which ends when
// it ends; here the lookup is done when it is asked for, in the made-up network, and is seen when
// the loop is polled next.
#include "driver/sim/blocking.hpp"

#include <boost/asio/detail/resolver_service_base.hpp>
#include <boost/asio/detail/scheduler.hpp>
#include <boost/asio/detail/thread.hpp>

#include <utility>

namespace boost::asio::detail {

resolver_service_base::resolver_service_base(execution_context& context)
    : scheduler_(boost::asio::use_service<scheduler_impl>(context)),
      work_scheduler_(nullptr),
      work_thread_(nullptr) {}

resolver_service_base::~resolver_service_base() = default;

void resolver_service_base::base_shutdown() {}

void resolver_service_base::base_notify_fork(execution_context::fork_event) {}

void resolver_service_base::construct(implementation_type& impl) {
  impl.reset(static_cast<void*>(nullptr), socket_ops::noop_deleter());
}

void resolver_service_base::destroy(implementation_type& impl) { impl.reset(); }

void resolver_service_base::move_construct(implementation_type& impl,
                                           implementation_type& other_impl) {
  impl = std::move(other_impl);
}

void resolver_service_base::move_assign(implementation_type& impl, resolver_service_base&,
                                        implementation_type& other_impl) {
  impl = std::move(other_impl);
}

void resolver_service_base::cancel(implementation_type& impl) { construct(impl); }

// An operation that is completed by anybody but its scheduler does its work, and then posts itself
// there.
void resolver_service_base::start_resolve_op(resolve_op* op) {
  const bool was_in_step = sim::is_in_step();
  sim::set_in_step(false);  // getaddrinfo blocks nobody's loop from here
  scheduler_.work_started();
  op->complete(this, boost::system::error_code(), 0);
  sim::set_in_step(was_in_step);
}

}  // namespace boost::asio::detail
