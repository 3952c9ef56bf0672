/**
 * Connection type on the wire, with its display name and former names. `variants` are the types that its connections get
 * once their account is known; they are in no plan and cannot be chosen.
 */
export type NamedType = {
  readonly type: string
  readonly name: string
  readonly formerly?: readonly string[]
  readonly variants?: readonly { readonly type: string; readonly name: string }[]
}

type TypeOf<C extends { readonly types: readonly NamedType[] }> = C['types'][number]

/**
 * Finds the channel of a type, by its current or a former name, and that type, with the variant that was meant; undefined
 * without one.
 */
export function withType<C extends { readonly types: readonly NamedType[] }>(
  channels: readonly C[],
  type: string,
):
  | {
      readonly channel: C
      readonly known: TypeOf<C>
      readonly variant: NonNullable<TypeOf<C>['variants']>[number] | undefined
    }
  | undefined {
  for (const channel of channels)
    for (const known of channel.types) {
      const variant = known.variants?.find((one) => one.type === type)
      if (variant || known.type === type || known.formerly?.includes(type)) return { channel, known, variant }
    }
  return undefined
}

/** Returns the wire names of connections of these types, variants included. */
export const typeNames = (types: readonly NamedType[]): string[] =>
  types.flatMap(({ type, variants = [] }) => [type, ...variants.map((one) => one.type)])
