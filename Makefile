# SPDX-License-Identifier: GPL-3.0-or-later
# `make` builds the engine, `make help` lists all targets. Variables to set on the command line:
#   EXE=path         file of the engine (palimpsest)
#   CC=gcc           compiler: gcc, clang, aarch64-linux-gnu-gcc, x86_64-w64-mingw32-gcc, ...
#   ARCH=native      processor: native, x86-64, x86-64-v2, x86-64-v3, x86-64-v3-magic (slow PEXT), x86-64-v4, armv8-a, ...
#   MODE=release     release, tune, pgo, debug, test, asan, tsan, fuzz or fuzz-memory; TEST_MODE=test: MODE of the unit tests
#   EVALFILE=path    network to build in (nets/default.nnue); empty: hand-written evaluation
#   SYZYGY=yes|no    Syzygy tablebases with libfathom; MEMORY=yes|no: position learning with SQLite (yes if installed)
#   FATHOM=folder    compile tbprobe.c of this folder in place of libfathom; SQLITE=folder: likewise sqlite3.c
#   CFLAGS=..., CPPFLAGS=..., EXTRA_CFLAGS=...  more flags for the compiler, after those of MODE and ARCH
#   LDFLAGS=...      more flags for the linker. -static: needs no libraries (always so for Windows); tablebases only with FATHOM
#   WERROR=yes       warnings are errors; V=1: show whole commands; BUILD=build: folder of the objects
#   SUITE=name, CASE=name  of `make unit-tests`: only this suite or test case
#   PREFIX=/usr/local  where `make install` puts the engine; DESTDIR=folder: put in front of PREFIX, for packages

EXE    = palimpsest$(EXT)
ARCH   = native
MODE   = release
BUILD  = build
PREFIX = /usr/local
WERROR = no
EVALFILE = $(wildcard nets/default.nnue)
$(foreach name,FATHOM SQLITE EXTRA_CFLAGS V SUITE CASE,$(eval $(name) =)) # empty unless set on the command line
TEST_MODE = test
$(foreach name,EXE BUILD EVALFILE FATHOM SQLITE,$(if $(word 2,$($(name))),$(error $(name) must not contain blanks: $($(name)))))
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
$(if $(filter 0environment,$(MAKELEVEL)$(origin CFLAGS)),$(info CFLAGS of the environment comes after the flags of this Makefile: $(CFLAGS)))

# The layers, from the bottom up: a layer includes only itself and those before it (scripts/layers.sh checks this).
LAYERS := base chess games nnue eval tt syzygy search learning engine
PROGRAMS := uci datagen train lab cluster

# Flags of each mode. Asserts are on in all modes but release and those derived from it.
OPT_release = -O3 $(shell scripts/lto.sh $(CC)) -DNDEBUG
OPT_tune    = $(OPT_release) -DPALIMPSEST_TUNE
OPT_pgo     = $(OPT_release) $(PGO_$(PGO))
OPT_debug   = -O1 -g
OPT_test    = -O2 -g
OPT_asan    = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
OPT_tsan    = -O1 -g -fsanitize=thread
OPT_fuzz    = $(subst =address,=fuzzer$(COMMA)address,$(OPT_asan))
OPT_fuzz-memory = $(subst address$(COMMA)undefined,memory,$(OPT_fuzz))
$(if $(filter undefined,$(origin OPT_$(MODE))),$(error MODE=$(MODE) does not exist: see the modes in `make help`))
SQLITE_OPT   = -O1
CLANG        = $(findstring clang,$(CC))
PGO_generate = -fprofile-generate
PGO_use      = $(if $(CLANG),-fprofile-use=$(BUILD)/profile.profdata,-fprofile-use -fprofile-correction -Wno-missing-profile)

MARCH := $(shell scripts/march.sh $(ARCH) $(CC))
EXT = $(if $(findstring mingw,$(CC))$(filter Windows_NT,$(OS)),.exe)
WEB = $(if $(findstring emcc,$(CC)),%_windows.c %/mem_posix.c $(if $(findstring -pthread,$(EXTRA_CFLAGS)),%/thread_web.c,%/thread.c %/workers_web.c))
ADDED_FLAGS = $(EXTRA_CFLAGS) $(CPPFLAGS) $(CFLAGS)
# A library is used if this compiler can compile and link a program with it.
has_library = $(if $(EXT)$(WEB),no,$(shell file=$$(mktemp) && echo 'int main(void) { return 0; }' | $(CC) $(ADDED_FLAGS) \
	-include $(1).h -xc - -xnone $(LDFLAGS) -l$(2) -lm -o "$$file" 2> /dev/null && echo yes || echo no; rm -f "$$file"))
SYZYGY := $(if $(FATHOM),yes,$(call has_library,tbprobe,fathom))
MEMORY := $(if $(SQLITE),yes,$(call has_library,sqlite3,sqlite3))
$(foreach name,SYZYGY MEMORY,$(if $(filter yes no,$($(name))),,$(error $(name) must be yes or no: $($(name)))))
# gcc does not align the stack for wide vectors in Windows: use unaligned moves. With other code models the linker confuses
# pointers of several levels (see universal). At fixed addresses (no PIE) a program executes 1.5% fewer instructions.
COMMA = ,
HASH := \#
NO_PIE := $(if $(or $(EXT),$(WEB),$(findstring pie,$(LDFLAGS)),$(filter asan tsan fuzz%,$(MODE))),,$(filter Linux,$(shell uname -s)))
LINK_FLAGS = $(if $(EXT),-static) $(LDFLAGS) $(if $(NO_PIE),-no-pie)
OS_FLAGS = $(if $(EXT),-D__USE_MINGW_ANSI_STDIO=1 -D_FILE_OFFSET_BITS=64 -mcmodel=small \
	$(if $(CLANG),,-Wa$(COMMA)-muse-unaligned-vector-move),$(if $(NO_PIE),-fno-pie))
WARNINGS  = -Wall -Wextra -Wshadow -Wcast-qual -Wvla -Wstrict-prototypes -Wmissing-prototypes
ALL_CFLAGS := -std=gnu11 $(OPT_$(MODE)) $(MARCH) $(OS_FLAGS) -fvisibility=hidden $(WARNINGS) \
	$(if $(filter yes,$(WERROR)),-Werror) $(if $(filter yes,$(FEW_LEVELS)),-DFEW_LEVELS) $(ADDED_FLAGS)
INCLUDES  = -Isrc -Itests $(FATHOM:%=-I%) $(SQLITE:%=-I%)
LIBS = $(filter-out no,$(if $(FATHOM),,$(SYZYGY:yes=-lfathom)) $(if $(SQLITE),,$(MEMORY:yes=-lsqlite3))) -lpthread -lm $(if $(findstring -mpi,$@),$(shell pkg-config --libs mpi-c))
KIND := $(MODE)-$(notdir $(firstword $(CC)))
UNIT_TESTS = $(BUILD)/$(ARCH)-$(TEST_MODE)-$(notdir $(firstword $(CC)))/unit-tests
OUT  := $(BUILD)/$(ARCH)-$(KIND)
TOP  := $(if $(findstring /,$(EXE)),$(EXE),./$(EXE))
exe_of = $(patsubst %$(EXT),%,$(EXE))-$(1)$(EXT)
TOOLS := $(patsubst %,$(dir $(TOP))palimpsest-%$(EXT),$(filter-out uci cluster,$(PROGRAMS)) mpi)
OTHER_SYSTEM := %/dispatch.c $(or $(WEB),%_web.c %_$(if $(EXT),posix,windows).c)
objects = $(patsubst %.c,$(OUT)/%.o,$(filter-out $(OTHER_SYSTEM),$(wildcard $(1:%=src/%/*.c) $(1:%=src/%/*/*.c))))
# A program links either the _yes or the _no files of each pair. The tools also link TOOL_EVAL, a hand-written evaluation.
NETWORK_yes := nnue/embed eval/built_in_network
NETWORK_no  := nnue/embed_none eval/built_in_bootstrap eval/bootstrap
SYZYGY_yes  := syzygy/syzygy
SYZYGY_no   := syzygy/syzygy_none
MEMORY_yes  := $(filter-out %_none,$(patsubst src/%.c,%,$(wildcard src/learning/learn_store*.c)))
MEMORY_no   := learning/learn_store_none
TOOL_EVAL   := eval/bootstrap eval/eval_choice
objects_of = $(1:%=$(OUT)/src/%.o)
OPTIONAL := $(NETWORK_yes) $(NETWORK_no) $(SYZYGY_yes) $(SYZYGY_no) $(MEMORY_yes) $(MEMORY_no) $(TOOL_EVAL)
CHOSEN   := $(if $(EVALFILE),$(NETWORK_yes),$(NETWORK_no)) $(SYZYGY_$(SYZYGY)) $(MEMORY_$(MEMORY))
FOREIGN  := $(and $(FATHOM),$(filter yes,$(SYZYGY)),$(OUT)/tbprobe.o) $(and $(SQLITE),$(filter yes,$(MEMORY)),$(OUT)/sqlite3.o)
CORE := $(filter-out $(call objects_of,$(OPTIONAL)),$(call objects,$(LAYERS))) $(call objects_of,$(CHOSEN)) $(FOREIGN)
ALL  := $(sort $(CORE) $(call objects_of,$(TOOL_EVAL)) $(call objects,$(PROGRAMS)))
LIB  := $(filter-out %/main.o,$(ALL))
TEST := $(patsubst %.c,$(OUT)/%.o,$(wildcard tests/*.c tests/*/*.c tests/*/*/*.c))
# $(call say,CC,file) before a command prints "CC file" in place of the command. V=1 prints the command, -s nothing.
OF_MAKE := $(filter-out --%,$(firstword -$(MAKEFLAGS))) # the short options of make
SILENT := $(findstring s,$(OF_MAKE))
say = $(if $(V),,@$(if $(SILENT),,$(info $(1) $(2))))
MAKEFLAGS += --no-print-directory
DEPS := scripts/deps.sh $(firstword $(CC))
SHARE := $(if $(findstring n,$(OF_MAKE)),,+)@# begins a script that calls make: `+` shares the jobs, but also runs it under -n
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*## .*/\1/p' Makefile) FORCE
.DELETE_ON_ERROR:
.SECONDARY: $(ALL) # make would delete the main.o of the tools, with a message
all: engine ## the engine, optimised for this machine (default)
engine: $(TOP) ## the same as all
	@$(if $(SILENT),:,echo "SYZYGY=$(SYZYGY) MEMORY=$(MEMORY)")
tools: $(filter-out %-mpi$(EXT),$(TOOLS)) ## palimpsest-datagen, palimpsest-train and palimpsest-lab, in the folder of EXE
# Copied if the content differs, regardless of dates: the old file may be of another mode or compiler.
$(TOP): $(OUT)/palimpsest$(EXT)
$(TOOLS): $(dir $(TOP))palimpsest-%$(EXT): $(OUT)/palimpsest-%$(EXT)
$(TOP) $(TOOLS): FORCE
	@mkdir -p $(@D)
	@cmp -s $(filter-out FORCE,$^) $@ || cp -f $(filter-out FORCE,$^) $@
link = $(call say,LD,$@)$(CC) $(ALL_CFLAGS) $(LINK_FLAGS) -o $@ $(filter %.o,$^) $(LIBS)
.SECONDEXPANSION:
$(OUT)/palimpsest$(EXT): $(CORE) $(call objects,uci) $(OUT)/parts
	$(link)
$(OUT)/palimpsest-%$(EXT): $(CORE) $(call objects_of,$(TOOL_EVAL)) $$(call objects,$$*) $(OUT)/parts
	$(link)
$(OUT)/palimpsest-mpi$(EXT): $(CORE) $(filter-out %/main.o,$(call objects,uci)) $(call objects,cluster) $(OUT)/parts
	$(link)
$(OUT)/unit-tests: $(LIB) $(filter-out $(OUT)/tests/fuzz/%,$(TEST)) $(OUT)/parts
	$(link) $(shell pkg-config --cflags --libs check) -Wl,--wrap=_mark_point
$(OUT)/fuzz: $(filter-out $(OUT)/src/train/% $(OUT)/src/lab/%,$(LIB)) $(OUT)/src/lab/results.o $(filter $(OUT)/tests/fuzz/%,$(TEST)) $(OUT)/parts
	$(link)
$(OUT)/%.o: %.c $(OUT)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ALL_CFLAGS) $(INCLUDES) $(if $(findstring cluster/main,$@),$(shell pkg-config --cflags mpi-c)) -MMD -MP -c -o $@ $<
MAGIC = sed -n 's/^static const char MAGIC.*"\(.*\)";/\1/p' src/nnue/network.c # the first bytes of a network
$(OUT)/src/nnue/embed.o: src/nnue/embed.S $(EVALFILE) $(OUT)/parts
	@mkdir -p $(@D)
	@[ "$$(head -c 8 $(EVALFILE) | tr -d '\0')" = "$$($(MAGIC))" ] || { echo "$(EVALFILE) is not a network of Palimpsest" >&2; exit 1; }
	$(call say,AS,$<)$(CC) $(MARCH) -DEVALFILE='"$(subst ','\'',$(abspath $(EVALFILE)))"' -c -o $@ $<
$(OUT)/tbprobe.o: $(FATHOM)/tbprobe.c $(OUT)/flags
$(OUT)/sqlite3.o: $(SQLITE)/sqlite3.c $(OUT)/flags
$(OUT)/tbprobe.o $(OUT)/sqlite3.o: # not our sources: no warnings. SQLite is large and its speed matters little
	$(call say,CC,$<)$(CC) $(ALL_CFLAGS) $(if $(findstring sqlite,$@),$(SQLITE_OPT) -fno-lto) $(INCLUDES) -w -DSQLITE_OMIT_LOAD_EXTENSION -MMD -MP -c -o $@ $<
# Everything is compiled again when `flags` changes, and linked again when `parts` changes. The compiler's own macros tell its
# version and, for ARCH=native, the processor.
MACROS := $(shell $(CC) $(ALL_CFLAGS) -dM -E -xc /dev/null 2> /dev/null | cksum)
$(OUT)/flags: BUILT_WITH = $(CC) $(ALL_CFLAGS) $(INCLUDES) $(MACROS)
NETWORK_SUM := $(if $(EVALFILE),$(shell cksum $(EVALFILE) 2> /dev/null)) # the file may be replaced by an older one
$(OUT)/parts: BUILT_WITH = $(CC) $(ALL_CFLAGS) $(LDFLAGS) $(EVALFILE) $(NETWORK_SUM) $(ALL)
$(OUT)/flags $(OUT)/parts: FORCE
	@mkdir -p $(@D)
	@echo '$(BUILT_WITH)' | cmp -s - $@ || echo '$(BUILT_WITH)' > $@
-include $(ALL:.o=.d) $(OUT)/src/uci/dispatch.d $(TEST:.o=.d)
# See src/uci/dispatch.h. `level` makes one object of the engine for a level; `chooser` links these, a network and a main().
# FEW_LEVELS=yes: two levels, for tests.
FEW_LEVELS = no
LEVELS   = $(shell sed -n $(if $(filter yes,$(FEW_LEVELS)),-e '/^$(HASH)ifndef/$(COMMA)/^$(HASH)endif/d') -e 's/^LEVEL.[^"]*"\([^"]*\)".*/\1/p' src/uci/cpu_levels.def)
LEVEL    = main_$(subst -,_,$(ARCH))
NETWORK := $(filter $(OUT)/src/nnue/embed%,$(CORE))
beside_gcc = $(shell echo '$(CC)' | sed -E 's:gcc[^/ ]*( |$$):$(1)\1:') # such as objcopy for gcc-12
universal: ## the engine for every x86-64 processor in one program, at full speed on each (gcc; minutes)
	@$(if $(CLANG),$(error make universal needs gcc))
	@$(if $(filter-out -mtune%,$(filter -m%,$(ADDED_FLAGS))),$(error make universal needs flags without -m))
	@$(foreach level,$(LEVELS),$(MAKE) level ARCH=$(level) &&) $(MAKE) chooser ARCH=$(firstword $(LEVELS))
level: $(if $(filter $(ARCH),$(firstword $(LEVELS))),$(FOREIGN)) $(OUT)/level.o FORCE
$(OUT)/level.o: $(filter-out %/dispatch_none.o $(NETWORK) $(FOREIGN),$(CORE) $(call objects,uci)) $(OUT)/parts
	$(call say,LD,$@)$(CC) $(ALL_CFLAGS) -r -nostdlib -flinker-output=nolto-rel -o $@ $(filter %.o,$^)
	$(call say,OBJCOPY,$@)$(call beside_gcc,objcopy) --redefine-sym main=$(LEVEL) --keep-global-symbol=$(LEVEL) $@
chooser: $(OUT)/src/uci/dispatch.o $(NETWORK) $(FOREIGN) $(if $(EXT),$(OUT)/version.o) $(LEVELS:%=$(BUILD)/%-$(KIND)/level.o) FORCE
	@mkdir -p $(dir $(TOP))
	$(call say,LD,$(TOP))$(CC) $(ALL_CFLAGS) $(LINK_FLAGS) -o $(TOP) $(filter %.o,$^) $(LIBS)
VERSION = $(shell scripts/version.sh)
$(OUT)/version.o: scripts/release/version.rc src/uci/program.h # the properties of the file in Windows
	@sed 's/@VERSION@/$(VERSION)/; s/@NUMBERS@/$(subst $() ,$(COMMA),$(wordlist 1,4,$(subst ., ,$(VERSION)) 0 0))/' $< > $(OUT)/version.rc
	$(call say,RC,$<)$(call beside_gcc,windres) $(OUT)/version.rc $@
# These must not run beside other goals: they call make again and would build the same files, or they use or remove what others
# make. A single one that comes last waits for the others, and all others wait for a `clean` that comes first; else all goals are
# made one after the other, as in the command line. A `clean` between others is refused: make would not make again what it removes.
ALONE  = mpi run test test-slow unit-tests lint pgo universal release-test install uninstall clean
CLEANED = $(filter clean,$(firstword $(MAKECMDGOALS)))
$(if $(filter-out $(CLEANED) $(lastword $(MAKECMDGOALS)),$(filter clean,$(MAKECMDGOALS))),$(error clean must be the first goal or the last))
GOALS  = $(if $(CLEANED),$(filter-out clean,$(MAKECMDGOALS)),$(MAKECMDGOALS))
OTHERS = $(filter-out $(ALONE),$(GOALS))
ifeq ($(strip $(OTHERS) $(firstword $(filter $(ALONE),$(GOALS)))),$(strip $(GOALS)))
$(filter-out $(CLEANED),$(ALONE)): | $(OTHERS)
else
.NOTPARALLEL:
endif
$(OUT)/flags $(OUT)/parts $(GOALS): | $(CLEANED)
pgo: ## the engine, optimised with a profile of its own bench (gcc, or clang with llvm-profdata); no faster so far
	@$(MAKE) engine MODE=pgo PGO=generate EXE=$(BUILD)/profiled
	@find $(BUILD) -name '*.gcda' -delete
	$(call say,PROFILE,$(BUILD)/profiled)LLVM_PROFILE_FILE=$(BUILD)/profiled.profraw $(BUILD)/profiled bench > /dev/null 2>&1
	@$(if $(CLANG),$$($(CC) -print-prog-name=llvm-profdata) merge -o $(BUILD)/profile.profdata $(BUILD)/profiled.profraw)
	@$(MAKE) engine MODE=pgo PGO=use
debug: ## palimpsest-debug: with asserts, almost without optimisation
asan: ## palimpsest-asan: with the sanitizers of addresses and undefined behaviour
tsan: ## palimpsest-tsan: with the sanitizer of threads
tune: ## palimpsest-tune: every search parameter is a UCI option
debug asan tsan tune:
	@$(MAKE) engine MODE=$@ EXE=$(call exe_of,$@)
mpi: ## palimpsest-mpi: the engine for several machines (OpenMPI); installs missing packages
	@$(DEPS) build mpi </dev/null
	@$(MAKE) $(filter %-mpi$(EXT),$(TOOLS))
run: ## install missing packages, build the engine and start it
	@$(DEPS) build >&2 </dev/null
	@$(MAKE) -s engine >&2 </dev/null
	@exec $(TOP)
test: ## install missing packages, run all tests but fuzzers and long cases (minutes)
	$(SHARE)$(DEPS) build test </dev/null && scripts/test.sh $(TOP) $(TEST_MODE)
test-slow: ## the same with the long cases: full perft suites, Win at Chess with 1 s a position
	@PALIMPSEST_SLOW=1 $(MAKE) test
unit-tests: ## only the unit tests, in TEST_MODE; SUITE=see or CASE=name: only this suite or test case
	@$(DEPS) build test </dev/null
	@$(MAKE) $(UNIT_TESTS) MODE=$(TEST_MODE)
	@$(if $(SUITE)$(CASE),$(SUITE:%=CK_RUN_SUITE=%) $(CASE:%=CK_RUN_CASE=%) $(UNIT_TESTS),scripts/unit-tests.sh $(UNIT_TESTS))
fuzz: ## all fuzzers, ten seconds each (clang); scripts/fuzz.sh TARGET SECONDS runs one
	$(SHARE)$(DEPS) build fuzz </dev/null && scripts/fuzz.sh
bench: engine ## a fixed search; its node count goes into the commit message
	@$(TOP) bench
symbols: $(LIB) ## check that no global name is also one of libfathom (part of lint)
	@scripts/symbols.sh $^
lint: ## check layers, style, names, format; run cppcheck
	@$(MAKE) symbols MODE=$(TEST_MODE)
	@scripts/lint.sh
format: ## format all sources
	@find src tests -name '*.[ch]' -exec clang-format -i {} +
results: tools ## rewrite tables and figures of the results pages from their CSV files
	@$(DEPS) figures </dev/null || :
	@LAB="$$(realpath $(dir $(TOP)))/palimpsest-lab" scripts/results.sh
results-check: tools ## check them: checksums, tables, and each number in their text (seconds; part of test)
	@LAB="$$(realpath $(dir $(TOP)))/palimpsest-lab" scripts/results.sh --check
release: ## archives for Linux (x86-64, ARM), Android and Windows, with SHA256SUMS, in build/release
	$(SHARE)$(DEPS) build release </dev/null && scripts/release/build.sh
release-test: ## test these archives as users would use them (minutes); skips what needs qemu or wine if they are missing
	$(SHARE)scripts/release/test.sh
deb: ## a package for this Debian, in build/deb
	$(SHARE)$(DEPS) build deb </dev/null && scripts/release/deb.sh
web: ## the engine as WebAssembly, an npm package, and a page with a board, in build/web (emcc, node)
	$(SHARE)$(DEPS) build web </dev/null && scripts/web/build.sh
install: ## install EXE (built if missing), manual page, shell completion, entries for desktops and xboard, pages, licence
	@[ -e $(TOP) ] || $(MAKE) engine
	@scripts/install.sh $(TOP) "$(DESTDIR)$(PREFIX)"
uninstall: ## remove what `make install` with the same PREFIX and DESTDIR has installed
	@scripts/install.sh --remove palimpsest$(EXT) "$(DESTDIR)$(PREFIX)"
clean: ## remove everything built here
	rm -rf $(BUILD) $(EXE) $(foreach mode,debug asan tsan tune,$(call exe_of,$(mode))) $(TOOLS)
deps: ## install packages missing for building, testing and linting (Debian)
	@$(DEPS) build test lint </dev/null
help: ## this list
	@echo 'Targets:' && sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' Makefile | expand -t 16
	@echo 'Variables:' && sed -n 's/^#   \([A-Z].*\)/  \1/p' Makefile
