"""A prompted language model that rates corrections from 1 to 5."""
