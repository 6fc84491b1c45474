"""An agent that answers at once: one tool call, then the answer. The twin of ../agent.cjs."""

from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.genai import types


def count_parts(box: int) -> dict:
  """Counts the parts in a box."""
  return {"count": 12, "box": box}


class InstantModel(BaseLlm):

  async def generate_content_async(self, llm_request, stream=False):
    last = llm_request.contents[-1].parts or []
    if any(part.function_response for part in last):
      part = types.Part(text="There are twelve parts in the box you asked about.")
    else:
      part = types.Part(function_call=types.FunctionCall(name="count_parts", args={"box": 7}))
    yield LlmResponse(content=types.Content(role="model", parts=[part]))


root_agent = LlmAgent(name="parts", model=InstantModel(model="instant"), instruction="Count parts.", tools=[count_parts])
