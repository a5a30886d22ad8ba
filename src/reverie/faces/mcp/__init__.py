"""The MCP server: tools, resources and prompts over one engine and one scope, for any MCP client."""

from reverie.extras import require

require("mcp", "The MCP server")
