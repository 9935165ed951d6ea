import { asks, day, fails, type Moment, runs, says, session, writes } from '../script.ts';

/** Somebody's settings. */
export const DOTFILES: readonly Moment[] = [
  session(
    {
      name: 'dotfiles: prompt',
      when: day(20, '21:15'),
      agent: 'gemini',
      model: 'gemini-2.5-pro',
      branch: 'main',
    },
    asks('Show the git branch in my fish prompt.'),
    writes('fish/functions/fish_prompt.fish', 'function fish_prompt\n  set_color green\nend'),
    fails(
      'source ~/.config/fish/config.fish',
      'bash: /home/mara/.config/fish/config.fish: line 3: syntax error near unexpected token',
      2,
    ),
    runs('fish -c "source ~/.config/fish/config.fish"'),
    says('The branch is in the prompt. It is a fish file; bash cannot source it.'),
  ),
  session(
    {
      name: 'dotfiles: alias',
      when: day(8, '20:45'),
      agent: 'claude-code',
      model: 'claude-haiku-4-5',
      branch: 'main',
    },
    asks('An abbreviation for docker compose. I keep typing the hyphen.'),
    writes('fish/conf.d/abbreviations.fish', 'abbr --add docker-compose docker compose'),
    runs('fish -n fish/conf.d/abbreviations.fish'),
    says('`docker-compose` becomes `docker compose` as you type. Your agents do not use fish, though.'),
  ),
];

/** The files of its folder. */
export const DOTFILES_FILES: Readonly<Record<string, string>> = {
  'README.md': '# dotfiles\n\nSettings that took too long to find out.\n',
  'fish/conf.d/abbreviations.fish': 'abbr --add docker-compose docker compose\n',
};
