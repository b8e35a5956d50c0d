"""The web page: server-rendered, usable without scripts. Scripts only save a reload here and there."""
