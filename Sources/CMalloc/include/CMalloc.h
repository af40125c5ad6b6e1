// The configuration of jemalloc. It declares nothing: linking this target is enough.
#pragma once
