"""Games as packages of their own: the example, and packages that are broken."""
