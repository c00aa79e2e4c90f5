"""Who people are: accounts, sessions and invitations."""
