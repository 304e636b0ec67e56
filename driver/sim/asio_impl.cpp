// SPDX-License-Identifier: MIT
// Boost.Asio's own code, compiled once for the runner instead of with every submission; without its
// resolver, whose place resolver.cpp takes.
#define BOOST_ASIO_DETAIL_IMPL_RESOLVER_SERVICE_BASE_IPP
#include <boost/asio/impl/src.hpp>
