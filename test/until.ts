/** Waits until `condition` holds, checking less often over time; throws after `ms` with the condition's source. */
export async function until(condition: () => Promise<boolean> | boolean, ms = 30_000): Promise<void> {
  const start = Date.now()
  while (!(await condition())) {
    const waited = Date.now() - start
    if (waited > ms) throw new Error(`not within ${ms} ms: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(waited / 8, 5), 250)))
  }
}
