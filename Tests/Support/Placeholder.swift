import AsyncHTTPClient
import Web
