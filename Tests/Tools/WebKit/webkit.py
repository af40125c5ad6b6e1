# The base class of the WebKit tests: the server of Tests/Tools/Browser, a proxy, and WebKitGTK under Xvfb.

import atexit
import functools
import os
import subprocess
import sys
import unittest

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from selenium.webdriver.webkitgtk.service import Service

sys.path.append(os.path.abspath(f"{__file__}/../../Browser"))

from proxy import Proxy
from server import Shop

# Returns the first visible element of a selector that contains a text.
FIND = """
    return [...document.querySelectorAll(arguments[0])].find((node) => node.getClientRects().length > 0
        && node.textContent.replaceAll(/\\s+/g, ' ').includes(arguments[1])) ?? null;
"""
TIMEOUT = 60


@functools.cache
def display():
    """The X display of this process."""
    reading, writing = os.pipe()
    # -nolisten: no network. Xvfb writes the number of the free display that it has taken.
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    atexit.register(process.wait)
    atexit.register(process.terminate)
    os.close(writing)
    with os.fdopen(reading) as file:
        number = file.readline().strip()
    if not number:
        raise RuntimeError("Xvfb did not start")
    return f":{number}"


@functools.cache
def browser():
    """The browser that all tests of this process share."""
    environment = {
        **os.environ, "DISPLAY": display(), "LANG": "en_US.UTF-8", "LANGUAGE": "en_US", "GDK_BACKEND": "x11",
        # No accessibility bus and no GPU. Compositing without a GPU would take most of the time.
        "NO_AT_BRIDGE": "1", "WEBKIT_DISABLE_DMABUF_RENDERER": "1", "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
    }
    service = Service("/usr/bin/WebKitWebDriver", env=environment)
    service.start()
    atexit.register(service.stop)
    driver = webdriver.Remote(service.service_url, options=webdriver.WebKitGTKOptions())
    atexit.register(driver.quit)
    driver.set_window_rect(0, 0, 1280, 860)
    return driver


class WebKitTest(unittest.TestCase):
    """A test with WebKit and a shop that the class shares. Each test has a proxy with another port. The browser stores
    nothing for this origin yet."""

    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.shop = Shop(*cls.arguments)
        cls.addClassCleanup(cls.shop.close)

    def setUp(self):
        self.proxy = Proxy(self.shop.port)
        self.addCleanup(self.proxy.close)
        self.driver = browser()
        # Ends the page's requests.
        self.addCleanup(self.driver.get, "about:blank")

    def visit(self, path="/#/"):
        self.driver.get(self.proxy.url + path)

    def run_script(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait_until(self, condition, description, timeout=TIMEOUT):
        """Waits until the condition returns a true value, and returns it. Tries again if the page has removed the
        element in the meantime."""
        wait = WebDriverWait(self.driver, timeout, 0.1, (StaleElementReferenceException,))
        return wait.until(lambda _: condition(), f"{description} did not happen within {timeout} s")

    def wait_for(self, selector, text="", timeout=TIMEOUT):
        """Waits for a visible element of the selector that contains the text."""
        return self.wait_until(lambda: self.run_script(FIND, selector, text), f"{selector} {text!r}", timeout)

    def wait_until_gone(self, selector, text=""):
        self.wait_until(lambda: not self.run_script(FIND, selector, text), f"the end of {selector} {text!r}")

    def is_visible(self, selector, text=""):
        return self.run_script(FIND, selector, text) is not None

    def click(self, selector, text="", timeout=TIMEOUT):
        """Clicks an element when it is visible and not covered."""
        def attempt():
            element = self.run_script(FIND, selector, text)
            if not element:
                return False
            # WebKitWebDriver does not scroll to an element that is just below the window.
            self.run_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
            try:
                element.click()
            except WebDriverException:
                return False
            return True
        self.wait_until(attempt, f"a click on {selector} {text!r}", timeout)

    def fill(self, selector, text):
        def attempt():
            field = self.run_script(FIND, selector, "")
            if field:
                field.clear()
                field.send_keys(text)
            return field
        self.wait_until(attempt, f"the text {text!r} in {selector}")

    def text(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector).text

    def press(self, *keys):
        """Presses keys in the focused element."""
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()
