#!/usr/bin/env node
/**
 * fake-adk-server — a scripted imitation of `adk api_server` (Python or JS dialect).
 *
 * No dependencies (node:http only), Node >= 18. Used by tests, benchmarks and checks of anything that talks to an
 * ADK agent over REST. It never runs a model: every answer comes from a script.
 *
 * RUN
 *   node fake-adk-server.mjs [--port 0] [--host 127.0.0.1] [--script FILE] [--log FILE] [--dialect python|js]
 *                            [--stats FILE] [--exit-with-stdin]
 *   The first line on stdout is JSON: {"port":N,"url":"http://127.0.0.1:N","pid":N,"dialect":"python"}.
 *   --script           JSON described below. Without it: one app `my_agent` that echoes the user text.
 *   --log              NDJSON, one line per request, written when the request ends:
 *                      {"n","time"(ms epoch),"ms","method","url"(raw, still percent-encoded),"path"(decoded),
 *                       "route","headers","rawHeaders","body"(parsed JSON, or text),"status","outcome"}
 *                      outcome: ok | aborted (client went away first) | dropped (the script cut the connection)
 *   --stats            file that receives the final /__stats object on SIGTERM, SIGINT or POST /__stop.
 *   --exit-with-stdin  stop when standard input closes (no orphans when the parent dies).
 *
 * AS A MODULE
 *   import {startFakeAdk} from './fake-adk-server.mjs';
 *   const s = await startFakeAdk({script, dialect, port, logFile});
 *   s.url, s.port, s.stats(), s.requests, s.reset(), s.setScript(obj), await s.close()
 *
 * ROUTES (all below script.basePath when that is set)
 *   GET    /list-apps                                   -> ["app", ...]
 *   GET    /health, /version
 *   POST   /apps/A/users/U/sessions                      newer: body {sessionId?, state?, events?}
 *   POST   /apps/A/users/U/sessions/S                    older: python body = the state itself, js body = {state}
 *   GET    /apps/A/users/U/sessions                      python: [Session], js: {sessions: [Session]}
 *   GET    /apps/A/users/U/sessions/S
 *   DELETE /apps/A/users/U/sessions/S
 *   POST   /run       body {appName,userId,sessionId,newMessage,stateDelta?}  (snake_case keys also accepted)
 *   POST   /run_sse   the same plus streaming
 *   POST   /api/reasoning_engine                         js dialect only: {input:{...}} -> {output:[events]}
 *   Control, always at the root and never logged or counted:
 *   GET  /__stats   GET /__log   POST /__reset   POST /__script (body = new script, also resets)   POST /__stop
 *
 * DIALECT           python                                   js
 *   times           seconds (float)                          milliseconds (integer)
 *   create with id  `sessionId` in the body is honoured;     body `sessionId` is ignored, always server-assigned;
 *                   taken id -> 409                          older path: taken id -> 400
 *   404             {"detail": "Session not found..."}       {"error": "Session not found: ID"}
 *   DELETE          200, body null, also when unknown        204, empty body; unknown -> 404
 *   list sessions   array                                    {"sessions": [...], page, limit, totalItems, totalPages}
 *   model error     500, text/plain "Internal Server Error"  200 with an event that has errorCode and errorMessage, no content
 *                   (script them: {"raw": "Internal Server Error", "status": 500} / {"errorCode": "500", "errorMessage": "x"})
 *   bad body        422 {"detail": [...]}                    400, text/html
 *   empty event     null-valued keys left out                same, plus `longRunningToolIds: []` on calls
 *   Function responses: author = the agent, content.role = "user" (both).
 *
 * SCRIPT
 * {
 *   "apps": ["my_agent"],                 names listed and accepted; unknown names -> 404 on run/create if strictApps
 *   "strictApps": false,
 *   "basePath": "/prefix",
 *   "agentName": "root_agent",            author of events
 *   "requireHeaders": {"authorization": "Bearer t", "x-any": true, "x-many": ["a","b"]},   else 401
 *   "sessions": [{"app","user","id","state"}],      exist from the start
 *   "autoCreateSessions": false,          /run on an unknown session creates it
 *   "rejectClientSessionIds": 500,        status given when a create names an id
 *   "sessionId": "srv-{{n}}",             template of server-assigned ids; default: a UUID
 *   "listApps":      [RULE...],           overrides; first usable rule wins (see RULE)
 *   "createSession": [RULE...],
 *   "getSession":    [RULE...],
 *   "deleteSession": [RULE...],
 *   "replies":       [RULE...],           for /run and /run_sse
 *   "default":       REPLY                when no rule matches (built in: {"echo": true})
 * }
 * Each of listApps/createSession/... may also be one object. RULE = {"match": MATCH, "times": N, "skip": N, ...REPLY}.
 *   times: usable for its first N hits only; skip: lets N hits pass first.
 *   MATCH: "exact user text", or {text, contains, regex, app, user, session, turn (1-based in its session),
 *          n (1-based number of that route's request), header: {"name": "value"}, hasFunctionResponse: true}.
 * REPLY, content (for run):
 *   text, calls: [{name,args,id?}], responses: [{name,response,id?}], state: {..} (stateDelta), usage: {..},
 *   author, errorCode, errorMessage, longRunning: true (call ids listed in longRunningToolIds),
 *   echo: true             text "echo: <user text>"
 *   steps: [CONTENT...]    several events in order; each step has the keys above plus partial, thought, skipSummarization
 *   events: [...]          raw events; merged over the usual envelope (set "bare": true to send them exactly as given)
 *   invocationId: "x"      fixed id, or "per-event" for a new id on every event, or "none" to leave it out
 *   Strings may hold {{text}} {{turn}} {{n}} {{sessionId}} {{userId}} {{appName}} {{state.KEY}} {{header.NAME}}.
 * REPLY, transport (any route):
 *   delayMs: 50 | [min,max] (spread evenly by request number, not random)
 *   status, body (JSON) | raw (string) + contentType, headers: {..}, redirect: "URL" (302 unless status is set)
 *   malformed: true        200 with cut JSON           drop: true | "headers" | "body"   cut before / after headers / mid body
 *   hang: true             never answers               drip: {"bytes": 1, "everyMs": 100}  slow body
 *   sse: {"everyMs": 10, "crlf": true, "comments": true, "splitBytes": 7, "dropAfter": 1, "errorAfter": 1, "noBlank": true}
 * With streaming:true on /run_sse, text events are first sent word by word as partial events.
 */
import http from 'node:http';
import fs from 'node:fs';
import {randomUUID} from 'node:crypto';
import {pathToFileURL} from 'node:url';

const sleep = ms => new Promise(r => setTimeout(r, ms));
const asList = v => (v === undefined || v === null ? [] : Array.isArray(v) ? v : [v]);
const isObject = v => v !== null && typeof v === 'object' && !Array.isArray(v);

/** Starts a server; see the header of this file. */
export async function startFakeAdk(options = {}) {
  const dialect = options.dialect ?? 'python';
  if (dialect !== 'python' && dialect !== 'js') throw new Error(`unknown dialect "${dialect}" (python or js)`);
  const js = dialect === 'js';
  let script;
  let sessions; // key app\0user\0id -> session
  let counters;
  let ruleHits;
  let requests;
  let sessionSeq;
  const startedAt = Date.now();
  const sockets = new Set();
  const logStream = options.logFile ? fs.createWriteStream(options.logFile, {flags: 'a'}) : null;

  const now = () => (js ? Date.now() : Date.now() / 1000);
  const keyOf = (app, user, id) => `${app}\0${user}\0${id}`;

  function setScript(next) {
    if (next !== undefined && !isObject(next)) throw new Error('script must be a JSON object');
    script = {apps: ['my_agent'], agentName: 'root_agent', ...(next ?? {})};
    reset();
  }
  function reset() {
    sessions = new Map();
    ruleHits = new Map();
    requests = [];
    sessionSeq = 0;
    counters = {
      total: 0, byRoute: {}, byStatus: {}, aborted: 0, dropped: 0,
      inFlight: 0, maxInFlight: 0, runsInFlight: 0, maxRunsInFlight: 0,
      runs: 0, sessionsCreated: 0, sessionsDeleted: 0, deletesOfUnknown: 0, firstAt: null, lastAt: null,
    };
    for (const s of asList(script.sessions)) {
      sessions.set(keyOf(s.app, s.user, s.id), newSession(s.app, s.user, s.id, s.state ?? {}, true));
    }
  }
  function newSession(appName, userId, id, state, seeded = false) {
    const s = {id, appName, userId, state: structuredClone(state), events: [], lastUpdateTime: now()};
    Object.defineProperty(s, 'meta', {value: {seeded, turns: 0, running: 0, maxRunning: 0}, enumerable: false});
    return s;
  }
  function stats() {
    const live = [...sessions.values()].map(s => ({
      app: s.appName, user: s.userId, id: s.id, seeded: s.meta.seeded, turns: s.meta.turns,
      maxRunning: s.meta.maxRunning,
    }));
    return {
      dialect, uptimeMs: Date.now() - startedAt, ...structuredClone(counters),
      sessionsLive: live.length, sessionsLeftOver: live.filter(s => !s.seeded).length, sessions: live,
      openConnections: sockets.size,
      spanMs: counters.firstAt === null ? 0 : counters.lastAt - counters.firstAt,
    };
  }

  // ---- rules -------------------------------------------------------------------------------------------------
  function matches(match, ctx) {
    if (match === undefined || match === null) return true;
    if (typeof match === 'string') return ctx.text === match;
    if (match.text !== undefined && ctx.text !== match.text) return false;
    if (match.contains !== undefined && !(ctx.text ?? '').includes(match.contains)) return false;
    if (match.regex !== undefined && !new RegExp(match.regex, 's').test(ctx.text ?? '')) return false;
    if (match.app !== undefined && ctx.app !== match.app) return false;
    if (match.user !== undefined && ctx.user !== match.user) return false;
    if (match.session !== undefined && ctx.session !== match.session) return false;
    if (match.turn !== undefined && ctx.turn !== match.turn) return false;
    if (match.n !== undefined && ctx.n !== match.n) return false;
    if (match.hasFunctionResponse !== undefined && ctx.hasFunctionResponse !== match.hasFunctionResponse) return false;
    for (const [k, v] of Object.entries(match.header ?? {})) if (ctx.headers[k.toLowerCase()] !== v) return false;
    return true;
  }
  function pick(list, ctx, id) {
    const rules = asList(list);
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i];
      if (!isObject(rule) || !matches(rule.match, ctx)) continue;
      const key = `${id}#${i}`;
      const hits = (ruleHits.get(key) ?? 0) + 1;
      ruleHits.set(key, hits);
      const skip = rule.skip ?? 0;
      if (hits <= skip) continue;
      if (rule.times !== undefined && hits > skip + rule.times) continue;
      return rule;
    }
    return undefined;
  }
  function fill(value, ctx) {
    if (typeof value === 'string') {
      return value.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (all, name) => {
        if (name.startsWith('state.')) return String(ctx.state?.[name.slice(6)] ?? '');
        if (name.startsWith('header.')) return String(ctx.headers[name.slice(7).toLowerCase()] ?? '');
        const v = {text: ctx.text, turn: ctx.turn, n: ctx.n, sessionId: ctx.session, userId: ctx.user, appName: ctx.app}[name];
        return v === undefined ? all : String(v);
      });
    }
    if (Array.isArray(value)) return value.map(v => fill(v, ctx));
    if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, fill(v, ctx)]));
    return value;
  }

  // ---- events ------------------------------------------------------------------------------------------------
  function envelope(fields, invocationId, author) {
    const e = {
      ...fields,
      invocationId, author,
      actions: {stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {}, ...(fields.actions ?? {})},
      id: randomUUID(), timestamp: now(),
    };
    if (invocationId === undefined) delete e.invocationId;
    return e;
  }
  function stepEvents(step, author) {
    const out = [];
    const who = step.author ?? author;
    const actions = {};
    if (step.state) actions.stateDelta = step.state;
    if (step.skipSummarization) actions.skipSummarization = true;
    const callIds = [];
    if (step.calls?.length) {
      const parts = step.calls.map(c => {
        const id = c.id === undefined ? `adk-${randomUUID()}` : c.id;
        callIds.push(id);
        return {functionCall: {...(id === null ? {} : {id}), args: c.args ?? {}, name: c.name}};
      });
      const fields = {content: {parts, role: 'model'}, finishReason: 'STOP'};
      fields.longRunningToolIds = step.longRunning ? callIds.filter(Boolean) : [];
      if (step.usage) fields.usageMetadata = step.usage;
      out.push([fields, who]);
    }
    if (step.responses?.length) {
      const parts = step.responses.map((r, i) => ({
        functionResponse: {id: r.id ?? callIds[i] ?? `adk-${randomUUID()}`, name: r.name, response: r.response ?? {}},
      }));
      out.push([{content: {parts, role: 'user'}, ...(step.text === undefined ? {actions} : {})}, who]);
    }
    if (step.text !== undefined || step.thought !== undefined || step.errorCode || step.empty) {
      const fields = {};
      if (step.text !== undefined || step.thought !== undefined) {
        const parts = [];
        if (step.thought !== undefined) parts.push({text: step.thought, thought: true});
        if (step.text !== undefined) parts.push({text: step.text});
        fields.content = {parts, role: 'model'};
      }
      if (step.partial) fields.partial = true;
      if (step.errorCode) {
        fields.errorCode = step.errorCode;
        if (step.errorMessage) fields.errorMessage = step.errorMessage;
      } else if (!step.partial) fields.finishReason = 'STOP';
      if (step.usage && !step.calls?.length) fields.usageMetadata = step.usage;
      fields.actions = actions;
      out.push([fields, who]);
    } else if (!step.responses?.length && Object.keys(actions).length && out.length) {
      out.at(-1)[0].actions = actions;
    }
    return out;
  }
  function buildEvents(reply, ctx) {
    const author = reply.author ?? script.agentName;
    const fixed = reply.invocationId;
    const shared = `e-${randomUUID()}`;
    const inv = () => (fixed === undefined ? shared : fixed === 'per-event' ? `e-${randomUUID()}` : fixed === 'none' ? undefined : fixed);
    if (reply.events) {
      const raw = fill(reply.events, ctx);
      return reply.bare ? raw : raw.map(e => (isObject(e) ? {...envelope(e, inv(), e.author ?? author), ...e} : e));
    }
    const r = reply.echo ? {...reply, text: `echo: ${ctx.text ?? ''}`} : reply;
    const steps = r.steps ?? [r];
    return steps.flatMap(s => stepEvents(fill(s, ctx), author)).map(([fields, who]) => envelope(fields, inv(), who));
  }
  function splitForStreaming(events) {
    const out = [];
    for (const e of events) {
      const parts = e?.content?.parts;
      if (parts?.length === 1 && typeof parts[0].text === 'string' && !parts[0].thought && !e.partial && e.content.role === 'model') {
        for (const w of parts[0].text.match(/\S+\s*/g) ?? []) {
          const {finishReason: _finishReason, ...rest} = e;
          out.push({...rest, id: randomUUID(), content: {role: 'model', parts: [{text: w}]}, partial: true});
        }
      }
      out.push(e);
    }
    return out;
  }

  // ---- sending -----------------------------------------------------------------------------------------------
  async function transport(reply, req, res, rec, n) {
    if (reply.delayMs !== undefined) {
      const [lo, hi] = Array.isArray(reply.delayMs) ? reply.delayMs : [reply.delayMs, reply.delayMs];
      await sleep(lo + ((hi - lo) * (n % 10)) / 9);
    }
    if (reply.hang) {
      await new Promise(r => (res.destroyed ? r() : res.once('close', r)));
      return true;
    }
    if (reply.drop === true || reply.drop === 'before') {
      rec.outcome = 'dropped';
      req.socket.destroy();
      return true;
    }
    if (reply.redirect) {
      end(res, reply.status ?? 302, '', 'text/plain', {location: reply.redirect});
      return true;
    }
    if (reply.malformed) {
      await sendText(reply, req, res, rec, reply.status ?? 200, '[{"content": {"parts": [{"text": "cut', 'application/json');
      return true;
    }
    if (reply.raw !== undefined) {
      await sendText(reply, req, res, rec, reply.status ?? 200, reply.raw, reply.contentType ?? 'text/plain; charset=utf-8');
      return true;
    }
    if (reply.body !== undefined || (reply.status !== undefined && reply.status >= 300)) {
      const body = reply.body !== undefined ? reply.body : js ? {error: `scripted ${reply.status}`} : {detail: `scripted ${reply.status}`};
      await sendText(reply, req, res, rec, reply.status ?? 200, JSON.stringify(body), reply.contentType ?? 'application/json');
      return true;
    }
    return false;
  }
  function end(res, status, text, type, headers = {}) {
    if (res.destroyed || res.headersSent) return;
    const h = {...headers};
    if (status === 204) return void res.writeHead(status, h).end();
    if (type) h['content-type'] = type;
    h['content-length'] = Buffer.byteLength(text);
    res.writeHead(status, h).end(text);
  }
  const json = (res, status, value, headers) => end(res, status, JSON.stringify(value ?? null), 'application/json', headers);
  async function sendText(reply, req, res, rec, status, text, type) {
    if (res.destroyed) return;
    const headers = {...(reply.headers ?? {})};
    if (reply.drop === 'headers' || reply.drop === 'body') {
      rec.outcome = 'dropped';
      rec.status = status;
      res.writeHead(status, {...headers, 'content-type': type, 'content-length': Buffer.byteLength(text) + 10});
      if (reply.drop === 'body') res.write(text.slice(0, Math.ceil(text.length / 2)));
      else res.flushHeaders();
      await sleep(20);
      req.socket.destroy();
      return;
    }
    if (reply.drip) {
      res.writeHead(status, {...headers, 'content-type': type});
      const buf = Buffer.from(text);
      const step = Math.max(1, reply.drip.bytes ?? 1);
      for (let i = 0; i < buf.length && !res.destroyed; i += step) {
        res.write(buf.subarray(i, i + step));
        await sleep(reply.drip.everyMs ?? 10);
      }
      if (!res.destroyed) res.end();
      return;
    }
    end(res, status, text, type, headers);
  }
  const notFound = (res, what) => json(res, 404, js ? {error: what} : {detail: what});
  function badBody(res, missing) {
    if (js) return end(res, 400, '<!DOCTYPE html><html><body><pre>SyntaxError</pre></body></html>', 'text/html; charset=utf-8');
    json(res, 422, {detail: [{type: missing ? 'missing' : 'json_invalid', loc: ['body', ...(missing ? [missing] : [0])], msg: missing ? 'Field required' : 'JSON decode error'}]});
  }

  // ---- handlers ----------------------------------------------------------------------------------------------
  async function handleRun(req, res, rec, body, ctx, sse) {
    if (!isObject(body)) return badBody(res);
    const get = (a, b) => (body[a] !== undefined ? body[a] : body[b]);
    const app = get('appName', 'app_name');
    const user = get('userId', 'user_id');
    const id = get('sessionId', 'session_id');
    const message = get('newMessage', 'new_message');
    if (!js) {
      for (const [v, name] of [[user, 'userId'], [id, 'sessionId']]) if (typeof v !== 'string') return badBody(res, name);
      if (!app) return json(res, 400, {detail: 'app_name is required when ADK_DEFAULT_APP_NAME is not set'});
    }
    const parts = message?.parts ?? [];
    Object.assign(ctx, {
      app, user, session: id,
      text: parts.map(p => p?.text).filter(t => typeof t === 'string').join('') || (parts.length ? '' : undefined),
      hasFunctionResponse: parts.some(p => p?.functionResponse ?? p?.function_response),
    });
    if (script.strictApps && !script.apps.includes(app)) return notFound(res, `App not found: ${app}`);
    let session = sessions.get(keyOf(app, user, id));
    if (!session && script.autoCreateSessions) {
      session = newSession(app, user, id, {});
      sessions.set(keyOf(app, user, id), session);
      counters.sessionsCreated++;
    }
    ctx.turn = (session?.meta.turns ?? 0) + 1;
    ctx.state = session?.state;
    const reply = pick(script.replies, ctx, 'replies') ?? script.default ?? {echo: true};
    if (!session) return notFound(res, `Session not found: ${id}`);
    counters.runs++;
    counters.runsInFlight++;
    counters.maxRunsInFlight = Math.max(counters.maxRunsInFlight, counters.runsInFlight);
    session.meta.running++;
    session.meta.maxRunning = Math.max(session.meta.maxRunning, session.meta.running);
    session.meta.turns++;
    try {
      if (get('stateDelta', 'state_delta')) Object.assign(session.state, get('stateDelta', 'state_delta'));
      const {body: _b, ...noBody} = reply;
      if (await transport(reply.events || reply.steps ? noBody : reply, req, res, rec, ctx.n)) return;
      const events = buildEvents(reply, ctx);
      session.events.push({...envelope({content: message}, events[0]?.invocationId, 'user')}, ...events);
      for (const e of events) Object.assign(session.state, e?.actions?.stateDelta ?? {});
      session.lastUpdateTime = now();
      if (sse) return await sendSse(reply, req, res, rec, body.streaming ? splitForStreaming(events) : events);
      const out = rec.route === 'reasoning_engine' ? {output: events} : events;
      await sendText(reply, req, res, rec, reply.status ?? 200, JSON.stringify(out), 'application/json');
    } finally {
      counters.runsInFlight--;
      session.meta.running--;
    }
  }
  async function sendSse(reply, req, res, rec, events) {
    const o = reply.sse ?? {};
    const nl = o.crlf ? '\r\n' : '\n';
    res.writeHead(reply.status ?? 200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...(reply.headers ?? {})});
    res.flushHeaders();
    const write = async text => {
      if (!o.splitBytes) return void res.write(text);
      const b = Buffer.from(text);
      for (let i = 0; i < b.length; i += o.splitBytes) {
        res.write(b.subarray(i, i + o.splitBytes));
        await sleep(1);
      }
    };
    let sent = 0;
    for (const e of events) {
      if (res.destroyed) return;
      if (o.dropAfter !== undefined && sent >= o.dropAfter) {
        rec.outcome = 'dropped';
        await sleep(20);
        return void req.socket.destroy();
      }
      if (o.errorAfter !== undefined && sent >= o.errorAfter) {
        const err = js ? {error: 'scripted stream error'} : {error: 'RuntimeError: scripted stream error', error_details: {error_type: 'RuntimeError', error_message: 'scripted stream error', timestamp: now()}};
        await write(`data: ${JSON.stringify(err)}${nl}${nl}`);
        return void res.end();
      }
      if (o.comments) await write(`: keep-alive${nl}${nl}`);
      const last = sent === events.length - 1;
      await write(`data: ${JSON.stringify(e)}${last && o.noBlank ? '' : nl + nl}`);
      sent++;
      if (o.everyMs) await sleep(o.everyMs);
    }
    res.end();
  }
  async function createSession(req, res, rec, body, ctx, pathId) {
    if (body !== undefined && !isObject(body) && body !== null) return badBody(res);
    const reply = pick(script.createSession, ctx, 'createSession');
    const askedId = pathId ?? body?.sessionId ?? body?.session_id;
    if (reply && (await transport(reply, req, res, rec, ctx.n))) return;
    if (script.strictApps && !script.apps.includes(ctx.app)) return notFound(res, `App not found: ${ctx.app}`);
    if (askedId && script.rejectClientSessionIds) {
      return json(res, script.rejectClientSessionIds, js ? {error: 'client session ids are not allowed'} : {detail: 'client session ids are not allowed'});
    }
    const state = pathId !== undefined && !js ? (body ?? {}) : (body?.state ?? {});
    let id = js && pathId === undefined ? undefined : askedId;
    if (id && sessions.has(keyOf(ctx.app, ctx.user, id))) {
      return js ? json(res, 400, {error: `Session already exists: ${id}`}) : json(res, 409, {detail: `Session already exists: ${id}`});
    }
    sessionSeq++;
    id ||= script.sessionId ? fill(script.sessionId, {...ctx, n: sessionSeq}) : randomUUID();
    const s = newSession(ctx.app, ctx.user, id, state);
    if (!js && Array.isArray(body?.events)) s.events.push(...body.events);
    sessions.set(keyOf(ctx.app, ctx.user, id), s);
    counters.sessionsCreated++;
    json(res, 200, s);
  }

  async function route(req, res, rec, body) {
    let path = rec.rawPath;
    const base = script.basePath ?? '';
    if (base) {
      if (path !== base && !path.startsWith(`${base}/`)) return notFound(res, 'Not Found');
      path = path.slice(base.length) || '/';
    }
    for (const [name, want] of Object.entries(script.requireHeaders ?? {})) {
      const got = [];
      for (let i = 0; i < req.rawHeaders.length; i += 2) if (req.rawHeaders[i].toLowerCase() === name.toLowerCase()) got.push(req.rawHeaders[i + 1]);
      const ok = want === true ? got.length > 0 : Array.isArray(want) ? JSON.stringify(got) === JSON.stringify(want) : got.join(', ') === want;
      if (!ok) {
        rec.route = 'unauthorized';
        return json(res, 401, js ? {error: 'Unauthorized'} : {detail: 'Unauthorized'}, {'www-authenticate': 'Bearer'});
      }
    }
    // Like both real servers, route on the *decoded* path for python (ASGI) and on encoded segments for js (Express).
    let segments;
    try {
      segments = js ? path.split('/').slice(1).map(decodeURIComponent) : decodeURIComponent(path).split('/').slice(1);
    } catch {
      return end(res, 400, 'Bad Request', 'text/plain');
    }
    const m = req.method;
    const ctx = {headers: req.headers, n: 0};
    const enter = name => {
      rec.route = name;
      ctx.n = counters.byRoute[name] = (counters.byRoute[name] ?? 0) + 1;
    };
    const p = segments.join('/');
    if (m === 'GET' && p === 'list-apps') {
      enter('list-apps');
      const reply = pick(script.listApps, ctx, 'listApps');
      if (reply && (await transport(reply, req, res, rec, ctx.n))) return;
      return json(res, 200, script.apps);
    }
    if (m === 'GET' && p === 'health') return enter('health'), js ? end(res, 200, 'OK', 'text/html') : json(res, 200, {status: 'ok'});
    if (m === 'GET' && p === 'version') return enter('version'), json(res, 200, js ? {version: '2.0.0'} : {version: '2.13.0', language: 'python', language_version: '3.11'});
    if (m === 'POST' && p === 'run') return enter('run'), handleRun(req, res, rec, body, ctx, false);
    if (m === 'POST' && p === 'run_sse') return enter('run_sse'), handleRun(req, res, rec, body, ctx, true);
    if (js && m === 'POST' && p === 'api/reasoning_engine') {
      enter('reasoning_engine');
      const input = {...(body ?? {}), ...(body?.input ?? {})};
      if (!input.appName) return json(res, 400, {error: 'appName is required in input'});
      input.userId ??= 'default-user';
      input.sessionId ??= 'default-session';
      const k = keyOf(input.appName, input.userId, input.sessionId);
      if (!sessions.has(k)) sessions.set(k, newSession(input.appName, input.userId, input.sessionId, {}));
      return handleRun(req, res, rec, input, ctx, false);
    }
    if (segments[0] === 'apps' && segments[2] === 'users' && segments[4] === 'sessions' && segments.length <= 6 && segments[1] && segments[3]) {
      const [, app, , user, , id] = segments;
      Object.assign(ctx, {app, user, session: id});
      if (segments.length === 5) {
        if (m === 'POST') return enter('create-session'), createSession(req, res, rec, body, ctx, undefined);
        if (m === 'GET') {
          enter('list-sessions');
          const list = [...sessions.values()].filter(s => s.appName === app && s.userId === user).map(s => ({...s, events: []}));
          return json(res, 200, js ? {sessions: list, page: 1, limit: list.length, totalItems: list.length, totalPages: 1} : list);
        }
      } else if (id !== '') {
        if (m === 'POST') return enter('create-session-with-id'), createSession(req, res, rec, body, ctx, id);
        if (m === 'GET') {
          enter('get-session');
          const reply = pick(script.getSession, ctx, 'getSession');
          if (reply && (await transport(reply, req, res, rec, ctx.n))) return;
          const s = sessions.get(keyOf(app, user, id));
          return s ? json(res, 200, s) : notFound(res, js ? `Session not found: ${id}` : 'Session not found');
        }
        if (m === 'DELETE') {
          enter('delete-session');
          const reply = pick(script.deleteSession, ctx, 'deleteSession');
          if (reply && (await transport(reply, req, res, rec, ctx.n))) return;
          const had = sessions.delete(keyOf(app, user, id));
          if (had) counters.sessionsDeleted++;
          else counters.deletesOfUnknown++;
          if (!had && js) return notFound(res, `Session not found: ${id}`);
          return js ? end(res, 204, '') : json(res, 200, null);
        }
      }
      return js ? end(res, 404, `Cannot ${m} ${path}`, 'text/html; charset=utf-8') : json(res, 405, {detail: 'Method Not Allowed'});
    }
    rec.route = 'unknown';
    return js ? end(res, 404, `<!DOCTYPE html><pre>Cannot ${m} ${path}</pre>`, 'text/html; charset=utf-8') : json(res, 404, {detail: 'Not Found'});
  }

  async function control(req, res, path, text) {
    if (req.method === 'GET' && path === '/__stats') return json(res, 200, stats());
    if (req.method === 'GET' && path === '/__log') return json(res, 200, requests);
    if (req.method === 'POST' && path === '/__reset') return reset(), json(res, 200, {ok: true});
    if (req.method === 'POST' && path === '/__script') {
      try {
        setScript(JSON.parse(text || '{}'));
        return json(res, 200, {ok: true});
      } catch (e) {
        return json(res, 400, {error: String(e.message)});
      }
    }
    if (req.method === 'POST' && path === '/__stop') {
      res.once('finish', () => void close().then(() => options.onStop?.()));
      return json(res, 200, stats());
    }
    return json(res, 404, {error: 'unknown control path'});
  }

  const server = http.createServer({keepAlive: true, noDelay: true}, async (req, res) => {
    const t0 = Date.now();
    const q = req.url.indexOf('?');
    const rawPath = q < 0 ? req.url : req.url.slice(0, q);
    const chunks = [];
    const isControl = rawPath.startsWith('/__');
    const rec = {n: 0, time: t0, ms: 0, method: req.method, url: req.url, rawPath, path: rawPath, route: 'unknown', headers: req.headers, rawHeaders: req.rawHeaders, body: undefined, status: 0, outcome: 'ok'};
    try {
      rec.path = decodeURIComponent(rawPath);
    } catch { /* keep the raw one */ }
    if (!isControl) {
      rec.n = ++counters.total;
      counters.firstAt ??= t0;
      counters.inFlight++;
      counters.maxInFlight = Math.max(counters.maxInFlight, counters.inFlight);
    }
    const mine = counters;
    let finished = false;
    const finish = () => {
      if (finished || isControl) return;
      finished = true;
      mine.inFlight--;
      mine.lastAt = Date.now();
      rec.ms = mine.lastAt - t0;
      rec.status ||= res.headersSent ? res.statusCode : 0;
      if (rec.outcome === 'ok' && !res.writableFinished) rec.outcome = 'aborted';
      if (rec.outcome === 'aborted') mine.aborted++;
      if (rec.outcome === 'dropped') mine.dropped++;
      mine.byStatus[rec.status] = (mine.byStatus[rec.status] ?? 0) + 1;
      const {rawPath: _r, ...line} = rec;
      if (mine === counters) requests.push(line);
      logStream?.write(`${JSON.stringify(line)}\n`);
    };
    res.on('close', finish);
    req.on('error', () => {});
    res.on('error', () => {});
    try {
      for await (const c of req) chunks.push(c);
      const text = Buffer.concat(chunks).toString('utf8');
      if (isControl) return void (await control(req, res, rawPath, text));
      let body;
      let bad = false;
      if (text) {
        try {
          body = JSON.parse(text);
        } catch {
          bad = true;
        }
      }
      rec.body = bad ? text : body;
      if (bad) return void badBody(res);
      await route(req, res, rec, body);
    } catch (e) {
      if (!res.headersSent && !res.destroyed) json(res, 500, {error: `fake server failed: ${e?.message ?? e}`});
      else res.destroy();
    }
  });
  server.keepAliveTimeout = 30_000;
  server.on('connection', s => {
    sockets.add(s);
    s.on('close', () => sockets.delete(s));
    s.on('error', () => {});
  });

  let closing;
  function close() {
    closing ??= new Promise(resolve => {
      server.close(() => {
        if (logStream) logStream.end(resolve);
        else resolve();
      });
      for (const s of sockets) s.destroy();
    });
    return closing;
  }

  setScript(options.script);
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });
  const {port} = server.address();
  return {
    url: `http://${options.host ?? '127.0.0.1'}:${port}`, port, dialect, stats, close, reset, setScript,
    get requests() {
      return requests;
    },
  };
}

function parseArgs(argv) {
  const out = {};
  for (let i = 0; i < argv.length; i++) {
    const [name, inline] = argv[i].split(/=(.*)/s);
    const value = () => {
      const v = inline ?? argv[++i];
      if (v === undefined) throw new Error(`${name} needs a value`);
      return v;
    };
    if (name === '--port') {
      out.port = Number(value());
      if (!Number.isInteger(out.port) || out.port < 0 || out.port > 65535) throw new Error('--port must be 0..65535');
    } else if (name === '--host') out.host = value();
    else if (name === '--script') out.scriptFile = value();
    else if (name === '--log') out.logFile = value();
    else if (name === '--stats') out.statsFile = value();
    else if (name === '--dialect') out.dialect = value();
    else if (name === '--exit-with-stdin') out.exitWithStdin = true;
    else if (name === '--help' || name === '-h') out.help = true;
    else throw new Error(`unknown argument ${name}`);
  }
  return out;
}

async function main() {
  const args = parseArgs(process.argv.slice(2));
  if (args.help) {
    process.stdout.write('fake-adk-server [--port 0] [--host 127.0.0.1] [--script FILE] [--log FILE] [--dialect python|js] [--stats FILE] [--exit-with-stdin]\n');
    return;
  }
  const script = args.scriptFile ? JSON.parse(fs.readFileSync(args.scriptFile, 'utf8')) : undefined;
  const done = () => {
    if (args.statsFile) fs.writeFileSync(args.statsFile, `${JSON.stringify(server.stats(), null, 2)}\n`);
    process.exit(0);
  };
  const server = await startFakeAdk({...args, script, onStop: done});
  const stop = () => void server.close().then(done);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (args.exitWithStdin) {
    process.stdin.resume();
    process.stdin.on('end', stop);
    process.stdin.on('close', stop);
  }
  process.stdout.write(`${JSON.stringify({port: server.port, url: server.url, pid: process.pid, dialect: server.dialect})}\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
  main().catch(e => {
    process.stderr.write(`fake-adk-server: ${e.message}\n`);
    process.exit(2);
  });
}
