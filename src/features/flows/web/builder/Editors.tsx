import { Tooltip } from '@mantine/core'
import { t } from '#web/t.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import css from './builder.module.css'
import type { Editor } from './use-editors.ts'

/** Other editors who have the flow open. */
export function Editors({ editors }: { editors: readonly Editor[] }) {
  return (
    <span className={css.editors} role="status">
      {editors.slice(0, 3).map(({ id, name }) => {
        const label = t('{name} também está neste fluxo', { name })
        return (
          <Tooltip key={id} label={label}>
            <span role="img" aria-label={label}>
              <Avatar id={id} name={name} size={28} />
            </span>
          </Tooltip>
        )
      })}
    </span>
  )
}
