"""Scores the workload with google-adk's own AgentEvaluator; the last line says how long it took without the imports."""

import asyncio
import sys
import time

from google.adk.evaluation.agent_evaluator import AgentEvaluator
import parts_agent.agent  # so that its import is not counted below

started = time.perf_counter()
asyncio.run(AgentEvaluator.evaluate(agent_module="parts_agent", eval_dataset_file_path_or_dir=sys.argv[1], print_detailed_results=False))
print(f"evaluated in {(time.perf_counter() - started) * 1000:.1f} ms")
