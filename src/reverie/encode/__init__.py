"""The write path: from a message to an episode and formed memories, stage by stage; ``pipeline`` runs the stages."""
