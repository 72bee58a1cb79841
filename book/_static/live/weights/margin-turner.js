// Made by tools/export_live.py; not to be edited by hand.
SoftLookup.weights.register("margin-turner", {"config":{"tokens":[[1.0,0.5],[-1.0,0.1],[-0.5,-0.4]],"head":[0.0,1.0],"fourth":[-0.2,0.05],"radius":12.0,"start":[-7.7135,9.1925],"steps":300}});
