/** Waits until `condition` holds; fails after `ms` with what it waited for. */
export async function until(condition: () => Promise<boolean> | boolean, ms = 10_000): Promise<void> {
  const end = Date.now() + ms
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
