// How jemalloc is configured. Nothing is called: linking this target is enough.
#pragma once
