/** A type of connection on the wire, with the name that people read, and what it was called before. */
export type NamedType = { readonly type: string; readonly name: string; readonly formerly?: readonly string[] }

/** The channel that has a type, by its name of today or of before, and that type; undefined where none has it. */
export function withType<C extends { readonly types: readonly NamedType[] }>(
  channels: readonly C[],
  type: string,
): { readonly channel: C; readonly known: NamedType } | undefined {
  for (const channel of channels) {
    const known = channel.types.find((one) => one.type === type || one.formerly?.includes(type))
    if (known) return { channel, known }
  }
  return undefined
}
