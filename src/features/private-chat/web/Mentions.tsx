import { useInfiniteQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { teams } from '#features/teams/addresses.ts'
import { pages } from '#web/client.ts'
import { folded } from '#web/fold.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import css from './private-chat.module.css'

/** Suggestions of team members for the text after the `@` at the caret. */
export function Mentions(props: {
  teamId: number
  text: string
  area: RefObject<HTMLTextAreaElement | null>
  onPick: (text: string) => void
}) {
  const { teamId, text, area, onPick } = props
  const caret = area.current?.selectionStart ?? text.length
  const asked = /(?:^|\s)@([^\n@]{0,30})$/.exec(text.slice(0, caret))?.[1]
  const found = useInfiniteQuery({ ...pages(teams.members, { params: { id: teamId } }), enabled: asked !== undefined })
  if (asked === undefined) return null
  const all = found.data?.pages.flatMap((page) => page.items) ?? []
  const people = all
    .filter(({ userId, name }) => userId !== viewer().userId && folded(name).startsWith(folded(asked)))
    .slice(0, 6)
  if (people.length === 0) return null
  const pick = (name: string) => {
    onPick(`${text.slice(0, caret - asked.length)}${name} ${text.slice(caret)}`)
    requestAnimationFrame(() => area.current?.focus())
  }
  return (
    <ul className={css.mentions} aria-label={t('Mencionar')}>
      {people.map(({ userId, name }) => (
        <li key={userId}>
          <button type="button" onClick={() => pick(name)}>
            <Avatar id={userId} name={name} size={24} />
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}
