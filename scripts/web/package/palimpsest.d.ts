// SPDX-License-Identifier: GPL-3.0-or-later
export interface Options {
    /** Called with each line that the engine prints. */
    onLine?: (line: string) => void;
    /** Called with each line of its error output. */
    onError?: (line: string) => void;
    /** Address of palimpsest.wasm; by default beside palimpsest.js. */
    wasmUrl?: string;
    /** The bytes of palimpsest.wasm. Nothing is loaded then. */
    wasmBinary?: ArrayBuffer | Uint8Array;
    /** Arguments of the program, such as ['bench']. It runs them and ends. */
    arguments?: string[];
}

export interface BestMove {
    /** In coordinates, such as 'e2e4'; '(none)' or '0000' if the game is over. */
    move: string;
    ponder: string | null;
    /** All lines of the search. */
    lines: string[];
}

export interface Engine {
    /** Sends one line of UCI. */
    send(line: string): void;
    /** Calls `listener` with each line that the engine prints. The result ends this. */
    onLine(listener: (line: string) => void): () => void;
    /** Sends `line`; resolves to the lines printed from then on, up to the first that `isLast` accepts. */
    ask(line: string, isLast: (line: string) => boolean): Promise<string[]>;
    /** Resolves when the engine answers `isready`. */
    ready(): Promise<void>;
    /** Searches the position with limits as in UCI, such as 'depth 12'. After 'infinite', send 'stop'. */
    go(limits: string): Promise<BestMove>;
    /** Ends the input; the engine then ends. */
    close(): void;
    /** Resolves to the exit status when the engine has ended. */
    readonly exited: Promise<number>;
    /** The file system of the engine, in memory (emscripten's FS): for networks, hash files, games. */
    readonly files: any;
}

/** Starts an engine in the current thread. It searches in turns of 8 ms, between which messages arrive. */
export function create(options?: Options): Promise<Engine>;

/** Connects an engine to a worker's port: each message to it or from it is one line of UCI. */
export function serve(port: any, options?: Options): Promise<Engine>;

/** Runs the program as in a terminal (node only). */
export function runProgram(words: string[]): Promise<void>;

/** In a page, palimpsest.js defines the global variable Palimpsest. */
export as namespace Palimpsest;
