"""Events, the recorder that numbers them, their codec, and the fold that replays them."""
