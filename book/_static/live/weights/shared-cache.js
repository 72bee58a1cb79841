// Made by tools/export_live.py; not to be edited by hand.
SoftLookup.weights.register("shared-cache", {"config":{"model":{"layers":32,"heads":32,"d_head":128,"number_bytes":2,"weight_bytes":16060522496},"shared":[1,2,4,8,16,32],"lengths":[256,512,1024,2048,4096,8192,16384,32768,65536,131072,262144,524288,1048576],"texts":[1,2,4,8,16,32,64]}});
