export function build(node: string): Promise<void>
