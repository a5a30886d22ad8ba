"""The read path: from a cue to the memories that answer it, stage by stage; ``pipeline`` runs the stages."""
