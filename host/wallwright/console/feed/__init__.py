"""What viewers are sent as it happens: server-sent events, rendered once for all who look at the same thing."""
