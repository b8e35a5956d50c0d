"""The web page and the HTTP API. FastAPI, uvicorn and Jinja2 are needed here only (the extra `serve`)."""
