// SPDX-License-Identifier: MIT
// Runs one submission of pipeline.
#include "pipeline.hpp"

#include "driver/fixtures/pipeline_run.hpp"
#include "options.hpp"

namespace {

class SubmittedPipeline final : public fixtures::Pipeline {
 public:
  asio::awaitable<Results> process_all(const fixtures::PipelineSource& items, Process process,
                                       std::int64_t workers, std::int64_t capacity) override {
    const PipelineOptions options{.workers = workers, .capacity = capacity};
    co_return co_await ::process_all(items, std::move(process), options);
  }
};

}  // namespace

namespace runner {

const char* const exercise_slug = "pipeline";

asio::awaitable<Observation> run_case(RunContext& context) {
  static SubmittedPipeline pipeline;
  return fixtures::run_pipeline_case(context, pipeline);
}

}  // namespace runner
