import { expect, test } from 'vitest'
import { isOneEmoji } from './emoji.ts'

test.each(['👍', '👍🏽', '❤️', '🇧🇷', '👨‍👩‍👧‍👦', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏳️‍🌈'])('%s is one emoji', (text) =>
  expect(isOneEmoji(text)).toBe(true),
)
test.each(['', '1', '👍👍', '👍 ', 'ok 👍', '🇧🇷🇧🇷', 'a', ':)', `👍${'‍'.repeat(3)}x`])('“%s” is none', (text) =>
  expect(isOneEmoji(text)).toBe(false),
)
