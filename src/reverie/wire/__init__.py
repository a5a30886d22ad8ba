"""What every face shares: values as plain data, errors as codes, the engine opened as the settings say."""
