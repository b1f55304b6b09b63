"""The pages: one module for what somebody goes to, which renders templates for people."""
