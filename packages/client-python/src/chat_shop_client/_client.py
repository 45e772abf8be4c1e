from __future__ import annotations

from ._calls import Calls
from .generated import Groups


class Client(Groups, Calls):
    """
    A client for the store of the token, with a method for every operation: ``client.orders.find({…})`` equals
    ``client.send("find_orders", {…})``.
    """
