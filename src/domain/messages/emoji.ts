/** Whether a text is exactly one emoji, including skin tones, flags and joined sequences. */
export const isOneEmoji = (text: string): boolean =>
  /^(?:\p{RI}{2}|[#*\d]\uFE0F?\u20E3|(?:\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*\u200D?)+[\u{E0020}-\u{E007F}]*)$/u.test(
    text,
  ) && !/\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*\p{Extended_Pictographic}/u.test(text)
