/** Waits until `condition` holds, looking less often the longer it takes; fails after `ms` with what it waited for. */
export async function until(condition: () => Promise<boolean> | boolean, ms = 30_000): Promise<void> {
  const start = Date.now()
  while (!(await condition())) {
    const waited = Date.now() - start
    if (waited > ms) throw new Error(`not within ${ms} ms: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(waited / 8, 5), 250)))
  }
}
