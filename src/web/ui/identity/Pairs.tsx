import type { ReactNode } from 'react'

/** Names with their values; those without a value are left out, and a name may come twice. */
export function Pairs({
  of,
  className = '',
}: {
  of: readonly (readonly [name: string, value: ReactNode])[]
  className?: string | undefined
}) {
  return (
    <dl className={className}>
      {of
        .filter(([, value]) => value)
        .map(([name, value], at) => (
          <div key={at}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
