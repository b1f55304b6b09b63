"""Whom the console believes when a request says that it comes from elsewhere."""

import httpx2

from tests.host.console.hall import PASSWORD
from tests.host.console.serving import Serving
from tests.host.console.test_strangers import LIMIT_S, WRONG, sign_in


def address_noted(serving: Serving, **headers: str) -> str:
    with httpx2.Client(base_url=serving.address, timeout=LIMIT_S, headers=headers) as client:
        assert sign_in(client, "nobody", WRONG).status_code == 401
    return str(serving.place.accounts.acts(100)[-1].body["address"])


FORGED = {"X-Forwarded-For": "10.9.9.9", "X-Forwarded-Proto": "https", "Forwarded": "for=10.9.9.9;proto=https"}


def test_nobody_is_believed_who_says_to_come_from_elsewhere_but_a_proxy_that_was_named(serving: Serving) -> None:
    assert address_noted(serving, **FORGED) == "127.0.0.1"
    serving.stop()
    serving._settings["proxies"] = ("127.0.0.1",)
    serving.start()
    assert address_noted(serving, **FORGED) == "10.9.9.9"
    assert address_noted(serving, **{"X-Forwarded-For": "1.2.3.4, 10.9.9.9"}) == "10.9.9.9", "the proxy's own word"
    serving.place.accounts.add("dan", "director", PASSWORD)
    secure = httpx2.post(
        f"{serving.address}/api/v1/session", json={"name": "dan", "password": PASSWORD}, headers=FORGED
    )
    assert all("Secure" in one for one in secure.headers.get_list("set-cookie"))
