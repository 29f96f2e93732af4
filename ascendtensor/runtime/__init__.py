"""The library's hold on `acl`: the only package that calls it."""
