"""What all faces share: values as JSON, error codes, and opening the engine from the settings."""
