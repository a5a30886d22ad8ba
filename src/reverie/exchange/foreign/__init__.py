"""Import from other memory systems: one module for each program, which turns its export or database into messages."""
