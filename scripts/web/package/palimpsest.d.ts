// SPDX-License-Identifier: GPL-3.0-or-later
export interface Options {
    /** Called with each line that the engine prints. */
    onLine?: (line: string) => void;
    /** Called with each line of its error output. */
    onError?: (line: string) => void;
    /** Address of the .wasm file; by default beside the script. */
    wasmUrl?: string;
    /** The bytes of the .wasm file. Nothing is loaded then. */
    wasmBinary?: ArrayBuffer | Uint8Array;
    /** With threads: addresses of palimpsest-threads.js and, if there is one, palimpsest-threads.worker.js; by default beside the worker's script. */
    scriptUrl?: string;
    workerUrl?: string;
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
    /** Searches the position with limits as in UCI, such as 'depth 12'. After 'infinite', send 'stop'. A second call ends the
     *  first search; each call resolves to its own search. Rejects 'perft', which finds no move: send it with ask(). */
    go(limits: string): Promise<BestMove>;
    /** Ends the input; the engine then ends. */
    close(): void;
    /** Resolves to the exit status when the engine has ended. */
    readonly exited: Promise<number>;
    /** The file system of the engine, in memory (emscripten's FS): for networks, hash files, games. */
    readonly files: any;
}

/** True if the engine of this script has threads; else it searches in the current thread. */
export const hasThreads: boolean;

/** Starts an engine. Without threads it searches in the current thread, in turns of 8 ms, between which messages arrive. With
 *  threads it searches in workers, and the current thread carries its lines: do not keep it busy. */
export function create(options?: Options): Promise<Engine>;

/** Connects an engine to a worker's port: each message to it or from it is one line of UCI. */
export function serve(port: any, options?: Options): Promise<Engine>;

/** Runs the program as in a terminal (node only). */
export function runProgram(words: string[]): Promise<void>;

/** In a page, palimpsest.js and palimpsest-threads.js define the global variable Palimpsest. */
export as namespace Palimpsest;
