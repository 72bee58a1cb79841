// Made by tools/export_live.py; not to be edited by hand.
SoftLookup.weights.register("weighting-forms", {"config":{"forms":["softmax","sigmoid","ReLU","normalised ReLU","square","positive linear","linear"],"scores":[-2.0,1.0,4.0,0.5,-1.0],"values":[10.0,40.0,20.0,60.0,50.0],"wanted":2,"limit":10.0}});
