"""Which of the two layouts this tree is: `lay.py` writes the second line anew for the older one."""

OLD = False

from pathlib import Path  # noqa: E402  # the line above is the one that is written anew

ROOT = Path(__file__).resolve().parent
EXTENSIONS = "extensions" if OLD else "extensions/python"
RECALL = {
    "memory_recall_enabled": True,
    "memory_recall_delayed": False,
    "memory_recall_interval": 3,
    "memory_recall_history_len": 10000,
    "memory_recall_memories_max_search": 12,
    "memory_recall_solutions_max_search": 8,
    "memory_recall_memories_max_result": 5,
    "memory_recall_solutions_max_result": 3,
    "memory_recall_similarity_threshold": 0.7,
    "memory_recall_query_prep": False,
    "memory_recall_post_filter": False,
    "agent_memory_subdir": "default",
}
"""How the stock recall behaves where its owner set nothing."""
