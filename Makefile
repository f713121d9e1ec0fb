# SPDX-License-Identifier: GPL-3.0-or-later
# `make` builds the engine, `make help` lists the rest. Knobs, all to be set on the command line:
#   EXE=path    where the engine goes             CC=gcc|clang|...   ARCH=native|x86-64-v3|armv8-a|...
#   LDFLAGS=-static: for a program that needs nothing else
#   WERROR=yes  warnings are errors               EXTRA_CFLAGS=...   BUILD=folder for objects
#   MODE=release|tune|pgo|debug|test|asan|tsan    TEST_MODE=test|asan|tsan: the same for unit tests
#   EVALFILE=path of the network to build in (nets/default.nnue; none: hand-written rules)
#   SYZYGY=yes|no: tablebases by libfathom (yes where its header is)
#   MEMORY=yes|no: long memory by SQLite (likewise)
#   FATHOM=folder of tbprobe.c, SQLITE=folder of sqlite3.c: sources to build in, not libraries to link
#   PREFIX=/usr/local and DESTDIR=folder before it: where make install puts the engine

EXE    = palimpsest$(EXT)
ARCH   = native
MODE   = release
BUILD  = build
PREFIX = /usr/local
WERROR = no
EVALFILE = $(wildcard nets/default.nnue)
found  = $(if $(EXT),no,$(if $(wildcard $(1:%=/usr/include/%) $(1:%=/usr/local/include/%)),yes,no))
FATHOM =
SQLITE =
SYZYGY = $(if $(FATHOM),yes,$(call found,tbprobe.h))
MEMORY = $(if $(SQLITE),yes,$(call found,sqlite3.h))
EXTRA_CFLAGS =
TEST_MODE    = test
ifeq ($(origin CC),default)
CC = gcc
endif

# What each mode adds. Asserts are on in all but release (and what is built on it).
OPT_release = -O3 $(LTO) -DNDEBUG
OPT_tune    = $(OPT_release) -DPALIMPSEST_TUNE
OPT_pgo     = $(OPT_release) $(PGO_$(PGO))
OPT_debug   = -O1 -g
OPT_test    = -O2 -g
OPT_asan    = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
OPT_tsan    = -O1 -g -fsanitize=thread

CLANG        = $(findstring clang,$(CC))
PROFILE      = $(BUILD)/profile.profdata
PGO_generate = -fprofile-generate
PGO_use      = $(if $(CLANG),-fprofile-use=$(PROFILE),-fprofile-use -fprofile-correction -Wno-missing-profile)

# Which spelling of link-time optimisation works depends on the compiler and the linkers installed:
# the first that links a program is taken, and none if none does.
LTO = $(shell t=$$(mktemp); for f in -flto=auto "-flto -fuse-ld=lld" -flto; do \
	echo 'int main(void) { return 0; }' | $(CC) $$f -x c - -o $$t 2>/dev/null && echo "$$f" && break; \
	done; rm -f $$t)

# -march=native means something else, or nothing, outside x86.
MARCH := $(or $(shell sed -n 's/^LEVEL(.*"$(ARCH)",.*"\(.*\)")$$/\1/p' src/uci/levels.def),-march=$(ARCH))
ifeq ($(ARCH)$(filter x86_64 i686 amd64,$(shell uname -m)),native)
MARCH = -mcpu=native
endif
EXT = $(if $(findstring mingw,$(CC))$(filter Windows_NT,$(OS)),.exe)

# Nothing keeps the stack aligned for wide vectors on Windows, so no instruction may rely on it. Data is reached as it is
# elsewhere: the pointers to it that the compiler would share over all files are mixed up between levels (see universal).
OS_FLAGS = $(if $(EXT),-D__USE_MINGW_ANSI_STDIO=1 -D_FILE_OFFSET_BITS=64 -mcmodel=small -Wa$(COMMA)-muse-unaligned-vector-move)
COMMA = ,
# A static program stands at a fixed place; code that knows it takes 2.4% fewer instructions.
OS_FLAGS += $(if $(EXT),,$(if $(filter -static,$(LDFLAGS)),-fno-pie))

WARNINGS  = -Wall -Wextra -Wshadow -Wcast-qual -Wvla -Wstrict-prototypes -Wmissing-prototypes
WARNINGS += $(if $(filter yes,$(WERROR)),-Werror)
CFLAGS   := -std=gnu11 $(OPT_$(MODE)) $(MARCH) $(OS_FLAGS) -fvisibility=hidden $(WARNINGS) $(EXTRA_CFLAGS)
LDFLAGS   =
INCLUDES  = -Isrc -Itests $(FATHOM:%=-I%) $(SQLITE:%=-I%)
LIBS      = $(if $(FATHOM),,$(LINK_SYZYGY_$(SYZYGY))) $(if $(SQLITE),,$(LINK_MEMORY_$(MEMORY))) -lpthread -lm
LINK_SYZYGY_yes = -lfathom
LINK_MEMORY_yes = -lsqlite3
CHECK     = $(shell pkg-config --cflags --libs check)

BESIDE := $(MODE)-$(notdir $(firstword $(CC)))
OUT  := $(BUILD)/$(ARCH)-$(BESIDE)
TOP  := $(if $(findstring /,$(EXE)),$(EXE),./$(EXE))
# What evaluates: a network built in by embed.S, or the bootstrap evaluation. Games of generation 0
# are always made with the latter. And who answers for tablebases and long memory.
FOREIGN := %_$(if $(EXT),posix,windows).c %/dispatch.c
LAYERS := base chess games nnue eval tt syzygy search learning engine
objects = $(patsubst %.c,$(OUT)/%.o,$(filter-out $(FOREIGN),$(wildcard $(1:%=src/%/*.c) $(1:%=src/%/*/*.c))))
SEAM := nnue/embed.o nnue/embed_none.o eval/built_in_network.o eval/built_in_bootstrap.o eval/bootstrap.o \
	eval/eval_choice.o syzygy/syzygy.o syzygy/syzygy_none.o learning/learn_store_sqlite.o learning/learn_store_open.o learning/learn_store_none.o
BORN := $(if $(EVALFILE),nnue/embed.o eval/built_in_network.o, \
	nnue/embed_none.o eval/built_in_bootstrap.o eval/bootstrap.o) \
	$(if $(filter yes,$(SYZYGY)),syzygy/syzygy.o,syzygy/syzygy_none.o) \
	$(if $(filter yes,$(MEMORY)),learning/learn_store_sqlite.o learning/learn_store_open.o,learning/learn_store_none.o)
GUESTS := $(and $(FATHOM),$(filter yes,$(SYZYGY)),$(OUT)/tbprobe.o) \
	$(and $(SQLITE),$(filter yes,$(MEMORY)),$(OUT)/sqlite3.o)
CORE := $(filter-out $(SEAM:%=$(OUT)/src/%),$(call objects,$(LAYERS))) $(BORN:%=$(OUT)/src/%) $(GUESTS)
RULES := $(OUT)/src/eval/bootstrap.o $(OUT)/src/eval/eval_choice.o
ALL  := $(sort $(CORE) $(RULES) $(call objects,uci lab datagen train))
LIB  := $(filter-out %/main.o,$(ALL))
TEST := $(patsubst %.c,$(OUT)/%.o,$(wildcard tests/*.c tests/*/*.c tests/*/*/*.c))
TOOLS := $(patsubst src/%,$(dir $(TOP))palimpsest-%,$(wildcard src/lab src/datagen src/train))
CODE := $(wildcard src/*/*.[ch] src/*/*/*.[ch] tests/*.[ch] tests/*/*.[ch] tests/*/*/*.[ch])
DEPS := scripts/deps.sh $(firstword $(CC))

.PHONY: all engine universal tools pgo debug asan tsan tune run test test-slow symbols \
	unit-tests bench release release-test deb lint format install uninstall clean help deps FORCE
.DELETE_ON_ERROR:

all: engine ## the engine, optimised for this machine (default)
engine: $(TOP) ## the same
	@echo "SYZYGY=$(SYZYGY) MEMORY=$(MEMORY)"

# Compared, not dated: the engine there may be another mode's or compiler's.
$(TOP): $(OUT)/palimpsest$(EXT) FORCE
	@mkdir -p $(@D)
	@cmp -s $< $@ || cp -f $< $@

$(OUT)/palimpsest$(EXT): $(CORE) $(call objects,uci)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# One program for every x86-64: the whole engine once for each level, as one object with no global
# name but its main; the network, once; and a main() before them that chooses (src/uci/dispatch.h).
LEVELS   = $(shell sed -n 's/^LEVEL.[^"]*"\([^"]*\)".*/\1/p' src/uci/levels.def)
LEVEL    = main_$(subst -,_,$(ARCH))
NETWORK := $(filter $(OUT)/src/nnue/embed%,$(CORE))
ENGINE   = $(filter-out %/dispatch_none.o $(NETWORK) $(GUESTS),$(CORE) $(call objects,uci))
OBJCOPY  = $(CC:%gcc=%objcopy)

universal: ## the engine for every x86-64 in one program, at full speed on each (gcc)
	$(if $(CLANG),$(error make universal needs gcc))
	$(foreach level,$(LEVELS),$(MAKE) level ARCH=$(level) &&) $(MAKE) chooser ARCH=$(firstword $(LEVELS))

level: $(OUT)/level.o FORCE
$(OUT)/level.o: $(ENGINE)
	$(CC) $(CFLAGS) -r -nostdlib -flinker-output=nolto-rel -o $@ $^
	$(OBJCOPY) --redefine-sym main=$(LEVEL) --keep-global-symbol=$(LEVEL) $@

chooser: $(OUT)/src/uci/dispatch.o $(NETWORK) $(GUESTS) $(if $(EXT),$(OUT)/version.o) \
	$(LEVELS:%=$(BUILD)/%-$(BESIDE)/level.o) FORCE
	@mkdir -p $(dir $(TOP))
	$(CC) $(CFLAGS) $(LDFLAGS) -o $(TOP) $(filter-out FORCE,$^) $(LIBS)

# What Windows shows of a file's properties.
VERSION = $(shell sed -n 's/^.define UCI_VERSION "\(.*\)"/\1/p' src/uci/program.h)
$(OUT)/version.o: scripts/release/version.rc src/uci/program.h
	sed 's/@VERSION@/$(VERSION)/; s/@NUMBERS@/$(subst .,$(COMMA),$(VERSION)),0,0/' $< > $(OUT)/version.rc
	$(CC:%gcc=%windres) $(OUT)/version.rc $@

tools: $(TOOLS) ## palimpsest-datagen, -train and -lab beside EXE: games to learn from, learning, experiments

$(TOOLS): $(dir $(TOP))palimpsest-%: $(OUT)/palimpsest-%$(EXT) FORCE
	@mkdir -p $(@D)
	@cmp -s $< $@ || cp -f $< $@

.SECONDEXPANSION:
$(OUT)/palimpsest-%$(EXT): $(CORE) $(RULES) $$(call objects,$$*)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(sort $^) $(LIBS)

$(OUT)/%.o: %.c $(OUT)/flags
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(INCLUDES) -MMD -MP -c -o $@ $<

$(OUT)/src/nnue/embed.o: src/nnue/embed.S $(EVALFILE) $(OUT)/flags
	@mkdir -p $(@D)
	$(CC) $(MARCH) -DEVALFILE='"$(abspath $(EVALFILE))"' -c -o $@ $<

# Other people's sources, with their own idea of warnings.
$(OUT)/tbprobe.o: $(FATHOM)/tbprobe.c $(OUT)/flags
$(OUT)/sqlite3.o: $(SQLITE)/sqlite3.c $(OUT)/flags
$(OUT)/tbprobe.o $(OUT)/sqlite3.o:
	$(CC) $(CFLAGS) $(INCLUDES) -w -DSQLITE_OMIT_LOAD_EXTENSION -c -o $@ $<

# Changes, and so rebuilds everything, when the flags, the network's name or the list of files do.
$(OUT)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(CFLAGS) $(INCLUDES) $(EVALFILE) $(ALL)' | cmp -s - $@ || \
		echo '$(CC) $(CFLAGS) $(INCLUDES) $(EVALFILE) $(ALL)' > $@

-include $(ALL:.o=.d) $(OUT)/src/uci/dispatch.d $(TEST:.o=.d)

pgo: ## the engine, optimised by a profile of its own bench (gcc, or clang with llvm-profdata)
	$(MAKE) engine MODE=pgo PGO=generate EXE=$(BUILD)/profiled
	find $(BUILD) -name '*.gcda' -delete
	LLVM_PROFILE_FILE=$(BUILD)/profiled.profraw $(BUILD)/profiled bench > /dev/null 2>&1
	$(if $(CLANG),$$($(CC) -print-prog-name=llvm-profdata) merge -o $(PROFILE) $(BUILD)/profiled.profraw)
	$(MAKE) engine MODE=pgo PGO=use

debug: ## palimpsest-debug: asserts, no optimisation to speak of
asan: ## palimpsest-asan: address and undefined behaviour sanitizers
tsan: ## palimpsest-tsan: thread sanitizer
tune: ## palimpsest-tune: every search parameter is a UCI option
debug asan tsan tune:
	$(MAKE) engine MODE=$@ EXE=$(EXE)-$@

run: ## install what is missing to build, build and start the engine
	@$(DEPS) build >&2 </dev/null
	@$(MAKE) --no-print-directory -s engine >&2 </dev/null
	@exec $(TOP)

test: ## install what is missing to test, run unit tests and UCI sessions (minutes)
	@$(DEPS) build test </dev/null
	$(MAKE) engine
	$(MAKE) unit-tests MODE=$(TEST_MODE)
	scripts/uci_session.sh $(TOP)
	scripts/memory/check.sh $(TOP)
	$(MAKE) tools
	scripts/tools_session.sh . $(TOP)
	scripts/install_session.sh $(TOP)

test-slow: ## the same with the long cases
	PALIMPSEST_SLOW=1 $(MAKE) test

symbols: $(LIB) ## check that no name is one of libfathom's (part of lint)
	@scripts/symbols.sh $^
unit-tests: $(OUT)/unit-tests ## the unit tests alone
	@scripts/unit_tests.sh $<

$(OUT)/unit-tests: $(LIB) $(TEST)
	$(CC) $(CFLAGS) -o $@ $^ $(CHECK) $(LIBS)

bench: engine ## count the nodes of a fixed search; last line of the commit message
	$(TOP) bench

lint: ## layers, names, style, format, cppcheck
	scripts/layers.sh
	scripts/style.sh
	$(MAKE) symbols MODE=test
	@clang-format --dry-run -Werror $(CODE)
	@if command -v cppcheck > /dev/null; then cppcheck --quiet --std=c11 --error-exitcode=1 \
		--enable=warning,performance,portability --inline-suppr -Isrc src; \
		else echo "skipped: cppcheck is not installed"; fi

format: ## rewrite the sources in the house format
	@clang-format -i $(CODE)

release: ## what is handed out, in build/release: Linux on x86-64 and ARM, Windows; archives and SHA256SUMS
	@$(DEPS) build release </dev/null
	+scripts/release/build.sh

release-test: ## try those as their users would (minutes; without wine or qemu it says what was skipped)
	+scripts/release/test.sh

deb: ## a package for this Debian, in build/deb
	@$(DEPS) build deb </dev/null
	+scripts/release/deb.sh

# What goes where. The manual page is made from the engine's own lists, so it must run on this machine.
BIN = $(DESTDIR)$(PREFIX)/bin/palimpsest$(EXT)
MAN = $(DESTDIR)$(PREFIX)/share/man/man6/palimpsest.6
DOC = $(DESTDIR)$(PREFIX)/share/doc/palimpsest

# The engine that is there, be it of `engine`, `pgo` or `universal`.
install: $(if $(wildcard $(TOP)),,engine) ## engine (built if there is none), manual page and README into PREFIX, below DESTDIR
	@mkdir -p $(OUT)
	scripts/man.sh $(TOP) > $(OUT)/palimpsest.6
	install -D -m 755 $(TOP) "$(BIN)"
	install -D -m 644 $(OUT)/palimpsest.6 "$(MAN)"
	install -d "$(DOC)"
	install -m 644 README.md COPYING "$(DOC)"

uninstall: ## remove what install put there, by the same PREFIX and DESTDIR
	rm -f "$(BIN)" "$(MAN)" "$(DOC)/README.md" "$(DOC)/COPYING"
	rmdir "$(DOC)" 2> /dev/null || : # stays if something else is there

clean: ## remove everything built here
	rm -rf $(BUILD) $(EXE) $(addprefix $(EXE)-,debug asan tsan tune) $(TOOLS)

deps: ## install what is missing to build, test and lint (Debian)
	@$(DEPS) build test lint </dev/null

help: ## this list
	@echo 'Targets:'
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' Makefile | expand -t 16
	@echo 'Knobs:'
	@sed -n 's/^#   \([A-Z].*\)/  \1/p' Makefile
