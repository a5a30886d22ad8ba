"""The MCP server: tools, resources and prompts over the one engine, in one scope, for any client of the protocol."""
