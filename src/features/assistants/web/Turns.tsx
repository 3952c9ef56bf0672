import type { Returned } from '#kit/contract.ts'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { Pill, type Tone } from '#web/ui/identity/badges.tsx'
import type { assistantTurns } from '../contract.ts'
import css from './assistants.module.css'
import { money } from './texts.ts'

const states: Readonly<Record<string, { text: string; tone: Tone }>> = {
  waiting: { text: t('Espera mais mensagens'), tone: 'info' },
  claimed: { text: t('Vai perguntar'), tone: 'info' },
  asked: { text: t('Perguntando'), tone: 'info' },
  later: { text: t('A resposta vem depois'), tone: 'info' },
  answered: { text: t('Respondeu'), tone: 'pos' },
  sent: { text: t('Respondeu e saiu'), tone: 'pos' },
  failed: { text: t('Não respondeu'), tone: 'neg' },
  canceled: { text: t('Interrompida'), tone: 'plain' },
  uncertain: { text: t('Incerta: pode ter sido feita'), tone: 'warn' },
}

/** Table of assistants' turns in a ticket: account, model, tokens, cost, time, error. */
export function Turns({ turns }: { turns: Returned<typeof assistantTurns.list>['turns'] }) {
  return (
    <ol className={css.turns} aria-label={t('Respostas dos assistentes')}>
      {turns.map((turn) => {
        const state = states[turn.status] ?? { text: turn.status, tone: 'plain' }
        return (
          <li key={turn.id}>
            <p>
              <b>{turn.assistant}</b>
              <Pill tone={state.tone}>{state.text}</Pill>
            </p>
            {turn.error && <p className={css.error}>{turn.error}</p>}
            <small>
              {[
                formatDateTime(turn.createdAt),
                turn.model,
                t('{input} tokens de entrada, {output} de saída', {
                  input: formatNumber(turn.inputTokens),
                  output: formatNumber(turn.outputTokens),
                }),
                t('{seconds} s', { seconds: formatNumber(Math.round(turn.ms / 100) / 10) }),
                money(turn.cost),
              ]
                .filter(Boolean)
                .join(' · ')}
            </small>
            {turn.sources.length > 0 && (
              <small>{t('Fontes: {all}', { all: turn.sources.map(({ title }) => title).join(', ') })}</small>
            )}
          </li>
        )
      })}
    </ol>
  )
}
