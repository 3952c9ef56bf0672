import { useEffect, useState } from 'react'
import { pollOf, votesOf } from '#domain/messages/data.ts'
import { t } from '#web/t.ts'
import type { LabMessage, LabPhone } from '../contract.ts'
import { actOn } from './act.ts'
import css from './thread.module.css'

/** Options of a poll for the chosen person to vote; pressing again withdraws the vote. In a group with the votes for each. */
export function PhonePoll({ phone, message, voter }: { phone: LabPhone; message: LabMessage; voter: number }) {
  const poll = message.mediaType === 'poll' ? pollOf(message.data) : null
  const votes = votesOf(message.data)
  const stored = votes[voter] ?? []
  const [own, setOwn] = useState(stored)
  const known = JSON.stringify(stored)
  useEffect(() => setOwn(JSON.parse(known)), [known])
  if (!poll) return null
  const vote = async (option: string) => {
    const others = poll.many ? own.filter((one) => one !== option) : []
    const options = own.includes(option) ? others : [...others, option]
    setOwn(options)
    if (!(await actOn(phone, message, { act: 'vote', options }, voter))) setOwn(stored)
  }
  return (
    <div className={css.buttons} role="group" aria-label={t('Enquete: {question}', { question: message.body })}>
      <small>{poll.many ? t('Escolha uma ou mais') : t('Escolha uma')}</small>
      {poll.options.map((option) => {
        const count = Object.values(votes).filter((all) => all.includes(option)).length
        return (
          <button key={option} type="button" aria-pressed={own.includes(option)} onClick={() => void vote(option)}>
            {option}
            {count > 0 && <span className="g-num">{count}</span>}
          </button>
        )
      })}
    </div>
  )
}
