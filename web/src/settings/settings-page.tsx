import type { ComponentChildren, VNode } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { SettingItem, SettingsResult } from '../../../src/server/rpc/api.ts';
import { errorMessage } from '../rpc/rpc-client.ts';
import { server } from '../rpc/server.ts';
import { showNotice, tryCall } from '../shell/notices.ts';
import { currentProjectId, isDemo, projectName, typedCommand } from '../shell/project-store.ts';
import { Skeleton } from '../shell/states.tsx';
import { setTheme, THEMES, type Theme, theme } from '../shell/theme.ts';
import { cleanText } from '../text/format.ts';
import { InlineCode } from '../text/inline-code.tsx';
import { Ago } from '../text/time-view.tsx';
import { AgentList } from './agent-list.tsx';
import { RedactionTest } from './redaction-test.tsx';
import { SettingField } from './setting-field.tsx';

/** Whether yore records, and how. */
export function SettingsPage(): VNode {
  const [settings, setSettings] = useState<SettingsResult>();
  const [problem, setProblem] = useState('');
  const openings = server.openings.value;
  const load = useCallback(async () => {
    try {
      setSettings(await server.call('settings.get', {}));
      setProblem('');
    } catch (error) {
      setProblem(errorMessage(error));
    }
  }, []);
  useEffect(() => void load(), [openings]);
  const change = async (call: Promise<unknown>, done: string) => {
    if (await tryCall(call)) showNotice(done);
    await load();
  };
  return (
    <section class="page settings" aria-label="Settings">
      <header class="page-head">
        <h1>Settings</h1>
        {isDemo.value ? <span class="fact">of the demo, deleted when it is stopped</span> : null}
      </header>
      {problem === '' ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {settings === undefined ? (
        problem === '' ? (
          <Skeleton />
        ) : null
      ) : (
        <>
          {settings.readOnly ? (
            <p class="settings-note">Other machines can reach this server, so settings cannot be changed through it.</p>
          ) : null}
          <Recording settings={settings} change={change} />
          <Section title="Agents" hint="Which agents on this machine are recorded, as `yore doctor` says it.">
            <AgentList />
          </Section>
          <Fields title="Warnings and recall" prefix="retrieval." settings={settings} change={change} />
          <Fields
            title="Model"
            prefix="model."
            hint="Without a model everything works offline; the chat answers from memory. Keys come from the environment only."
            settings={settings}
            change={change}
          />
          <Section
            title="Redaction"
            hint="Secrets and the names of home folders are masked before anything is written. Try it: nothing of this text is kept."
          >
            <RedactionTest />
          </Section>
          <Storage settings={settings} />
          <Appearance />
        </>
      )}
    </section>
  );
}

type Change = (call: Promise<unknown>, done: string) => Promise<void>;

interface PartProps {
  readonly settings: SettingsResult;
  readonly change: Change;
}

interface SectionProps {
  readonly title: string;
  readonly hint?: string | undefined;
  readonly children: ComponentChildren;
}

function Section({ title, hint, children }: SectionProps): VNode {
  return (
    <section class="settings-section" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {hint === undefined ? null : (
          <p>
            <InlineCode text={hint} />
          </p>
        )}
      </header>
      <div class="settings-body">{children}</div>
    </section>
  );
}

function Recording({ settings: { recording, readOnly }, change }: PartProps): VNode {
  const project = currentProjectId.value;
  const { everywhere, exceptions } = recording;
  const isOn = everywhere !== exceptions.includes(project);
  const record = (on: boolean, where?: string) =>
    change(
      server.call('settings.record', { on, ...(where === undefined ? {} : { project: where }) }),
      on ? 'Recording is on.' : 'Recording is paused.',
    );
  return (
    <Section title="Recording" hint="Pausing keeps what is recorded. Agents work on as if yore were not there.">
      <Switch
        label="Record in all projects"
        hint={everywhere ? 'What agents that are set up do is recorded as they work.' : 'Paused: nothing is recorded.'}
        isOn={everywhere}
        isDisabled={readOnly}
        onChange={(on) => void record(on)}
        keys="R"
      />
      {project === '' ? null : (
        <Switch
          label={`Record in ${projectName(project)}`}
          hint={isOn ? 'Sessions in this project are recorded.' : 'Paused in this project.'}
          isOn={isOn}
          isDisabled={readOnly}
          onChange={(on) => void record(on, project)}
        />
      )}
    </Section>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly isDisabled: boolean;
  readonly keys?: string;
  readonly onChange: (on: boolean) => void;
}

function Switch({ label, hint, isOn, isDisabled, keys, onChange }: SwitchProps): VNode {
  return (
    <label class="setting">
      <span class="setting-text">
        <span class="setting-name">{label}</span>
        <span class="setting-hint">{hint}</span>
      </span>
      {keys === undefined ? null : <kbd>{keys}</kbd>}
      <input
        type="checkbox"
        role="switch"
        class="switch"
        checked={isOn}
        aria-checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  );
}

interface FieldsProps extends PartProps {
  readonly title: string;
  readonly hint?: string;
  /** The section of the settings. */
  readonly prefix: string;
}

function Fields({ title, hint, prefix, settings, change }: FieldsProps): VNode {
  const shown = settings.settings.filter(({ key }) => key.startsWith(prefix));
  const set = (setting: SettingItem, value: string) =>
    change(
      server.call('settings.set', { key: setting.key, ...(value === '' ? {} : { value }) }),
      value === '' ? `${setting.key} has its default again.` : `${setting.key} is now ${value}.`,
    );
  return (
    <Section title={title} hint={hint}>
      {shown.map((setting) => (
        <SettingField
          key={setting.key}
          setting={setting}
          isDisabled={settings.readOnly || !setting.isEditable}
          onChange={(value) => void set(setting, value)}
        />
      ))}
    </Section>
  );
}

function Storage({
  settings: { home, file, bytesOnDisk, indexBytes, oldest },
}: {
  readonly settings: SettingsResult;
}): VNode {
  return (
    <Section title="Data" hint="Everything stays on this machine, in files that you can read.">
      <dl class="facts-list settings-facts">
        <div>
          <dt>Retention</dt>
          <dd>
            Kept until you delete it.{' '}
            {oldest === undefined ? null : (
              <>
                The oldest was recorded <Ago at={oldest} />.{' '}
              </>
            )}
            To delete a session, a project or what was learned: <code>{typedCommand('forget')}</code>
          </dd>
        </div>
        <div>
          <dt>On disk</dt>
          <dd>
            {formatSize(bytesOnDisk)}, including {formatSize(indexBytes)} of search index
          </dd>
        </div>
        <div>
          <dt>Folder</dt>
          <dd>
            <code>{cleanText(home)}</code>
          </dd>
        </div>
        <div>
          <dt>Settings file</dt>
          <dd>
            <code>{cleanText(file)}</code>
          </dd>
        </div>
      </dl>
    </Section>
  );
}

function Appearance(): VNode {
  return (
    <Section title="Appearance">
      <label class="setting">
        <span class="setting-text">
          <span class="setting-name">Theme</span>
          <span class="setting-hint">Stored by this browser.</span>
        </span>
        <kbd>T</kbd>
        <select value={theme.value} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
          {THEMES.map((each) => (
            <option key={each} value={each}>
              {each === 'system' ? 'Same as the system' : each === 'light' ? 'Light' : 'Dark'}
            </option>
          ))}
        </select>
      </label>
    </Section>
  );
}

function formatSize(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  if (megabytes < 1) return `${Math.round(bytes / 1000)} kB`;
  return megabytes < 1000 ? `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB` : `${(megabytes / 1000).toFixed(1)} GB`;
}
