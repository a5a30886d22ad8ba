"""The dream: consolidation of formed memories in the background, as pure functions, one per step."""
