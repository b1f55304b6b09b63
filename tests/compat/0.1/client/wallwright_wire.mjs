/* The Wallwright wire as data: what messages, fields and numbers are called, and how bodies are laid out.

Written by tools/generate_docs.py. SPDX-License-Identifier: Apache-2.0

Names and layouts never change once they were released; a later release has more of them. Numbers are those of the
firmware whose dictionary has the hash CATALOG_HASH: another board tells its own by get_dictionary, and only the
requests named FROZEN have their ids on every board. What a message means, and when it may be sent, is in SPEC.md;
docs/clients.md says how to use this file.

A field: `at` is where it begins in its payload or body, in bytes; `item` is one value (`B` u8, `H` u16, `I` u32, `16s`
16 bytes), `unit` is what SPEC.md says, `length` how many values there are where it is several, else 0. A request that
REPLIES lacks is answered without a payload. */

const Field = (name, at, item, unit = "", length = 0) => ({ name, at, item, unit, length });
const Row = (id, format, size, fields) => ({ id, format, size, fields });
const Setting = (number, kind, unit, default_, lowest, highest, meaning) => ({
    number, kind, unit, default: default_, lowest, highest, meaning,
});

export const PROTOCOL_VERSION = 1;

export const CATALOG_HASH = 0x5794707E;

export const LIMITS = {
    "MAX_BODY": 240, "MAX_FRAME": 246, "RETRY_MS": 250, "RETRY_CAP_MS": 1000, "TRIES": 6, "EVENT_WINDOW": 4,
    "EVENT_RETRY_MS": 500, "EVENT_RETRY_CAP_MS": 4000, "SILENCE_MS": 10000, "HEARTBEAT_MS": 2000, "CAPACITY": 96,
    "STATUS_EVERY_MS": 1000,
};

export const HEADS = {
    "HELLO": Row(0x01, "BHII", 11, [
        Field("kind", 0, "B"), Field("version", 1, "H"), Field("catalog", 3, "I"), Field("session", 7, "I"),
    ]),
    "HELLO_REPLY": Row(0x81, "BIIHIBII", 24, [
        Field("kind", 0, "B"), Field("boot_id", 1, "I"), Field("session", 5, "I"), Field("version", 9, "H"),
        Field("catalog", 11, "I"), Field("code", 15, "B"), Field("stored_event", 16, "I"),
        Field("newest_event", 20, "I"),
    ]),
    "REQUEST": Row(0x02, "BIHB", 8, [
        Field("kind", 0, "B"), Field("session", 1, "I"), Field("sequence", 5, "H"), Field("message", 7, "B"),
    ]),
    "REPLY": Row(0x82, "BIIHBB", 13, [
        Field("kind", 0, "B"), Field("boot_id", 1, "I"), Field("session", 5, "I"), Field("sequence", 9, "H"),
        Field("message", 11, "B"), Field("code", 12, "B"),
    ]),
    "EVENT": Row(0x83, "BIIIIB", 18, [
        Field("kind", 0, "B"), Field("boot_id", 1, "I"), Field("seq", 5, "I"), Field("previous", 9, "I"),
        Field("time_ms", 13, "I"), Field("message", 17, "B"),
    ]),
    "EVENT_ACK": Row(0x03, "BIIII", 17, [
        Field("kind", 0, "B"), Field("session", 1, "I"), Field("boot_id", 5, "I"), Field("received", 9, "I"),
        Field("stored", 13, "I"),
    ]),
    "STATUS": Row(0x84, "BIB", 6, [Field("kind", 0, "B"), Field("boot_id", 1, "I"), Field("message", 5, "B")]),
};

export const REQUESTS = {
    "get_info": Row(0x10, "", 0, []), "get_status": Row(0x11, "", 0, []),
    "set_plan": Row(0x12, "4BBBB", 7, [
        Field("plan", 0, "B", "stacks", 4), Field("dealer", 4, "B", "seat"), Field("plan_mode", 5, "B", "plan mode"),
        Field("wash_s", 6, "B", "s"),
    ]),
    "start_build": Row(0x13, "", 0, []), "open_lid": Row(0x14, "", 0, []), "raise_walls": Row(0x15, "", 0, []),
    "lower_lifts": Row(0x16, "", 0, []),
    "roll_dice": Row(0x17, "BBB", 3, [
        Field("seat", 0, "B", "seat"), Field("purpose", 1, "B", "purpose"), Field("dice_count", 2, "B", "dice"),
    ]),
    "stop": Row(0x18, "", 0, []), "clear_fault": Row(0x19, "", 0, []),
    "contribute": Row(0x1A, "I16s", 20, [Field("roll", 0, "I", "roll"), Field("contribution", 4, "16s", "bytes")]),
    "set_throw": Row(0x1B, "BBB", 3, [
        Field("purpose", 0, "B", "purpose"), Field("dice_count", 1, "B", "dice"), Field("seat", 2, "B", "seat"),
    ]),
    "set_deal": Row(0x1C, "BBBBH", 6, [
        Field("east", 0, "B", "seat"), Field("dealer", 1, "B", "seat"), Field("round_wind", 2, "B", "wind"),
        Field("deal_kind", 3, "B", "deal kind"), Field("pot", 4, "H", "chips"),
    ]),
    "hurry": Row(0x1D, "", 0, []),
    "prescribe": Row(0x1E, "HH200s", 204, [
        Field("size", 0, "H", "bytes"), Field("offset", 2, "H", "bytes"), Field("part", 4, "200s", "bytes"),
    ]),
    "prescribe_cancel": Row(0x1F, "", 0, []), "get_wiring": Row(0x20, "", 0, []),
    "begin_wiring": Row(0x21, "", 0, []),
    "set_wiring": Row(0x22, "B45B32BBBB", 81, [
        Field("lanes", 0, "B", "bits"), Field("inputs", 1, "B", "wire", 45), Field("outputs", 46, "B", "wire", 32),
        Field("sorter", 78, "B", "sorter"), Field("sorter_places", 79, "B"), Field("sorter_lead_ms", 80, "B", "ms"),
    ]),
    "get_wires": Row(0x23, "", 0, []),
    "jog_wire": Row(0x24, "BHBB6s", 11, [
        Field("output", 0, "B", "wire"), Field("limit_ms", 1, "H", "ms"), Field("end_wire", 3, "B", "wire, level"),
        Field("stop_wire", 4, "B", "wire, level"), Field("keys", 5, "6s", "bits"),
    ]),
    "get_sorter": Row(0x25, "", 0, []), "set_director": Row(0x26, "32s", 32, [Field("director", 0, "32s", "bytes")]),
    "get_dictionary": Row(0x27, "H", 2, [Field("offset", 0, "H", "bytes")]),
    "try_setting": Row(0x28, "BH", 3, [Field("setting", 0, "B", "setting"), Field("value", 1, "H", "by unit")]),
    "end_trial": Row(0x29, "", 0, []), "get_samples": Row(0x2A, "", 0, []), "get_noise": Row(0x2B, "", 0, []),
    "restart": Row(0x2C, "", 0, []), "get_fault_counts": Row(0x2D, "B", 1, [Field("first", 0, "B", "fault")]),
    "get_drive_times": Row(0x2E, "B", 1, [Field("first", 0, "B", "drive")]), "get_self_tests": Row(0x2F, "", 0, []),
    "begin_service": Row(0x30, "", 0, []), "end_service": Row(0x31, "", 0, []),
    "jog": Row(0x32, "BH", 3, [Field("drive", 0, "B", "drive"), Field("limit_ms", 1, "H", "ms")]),
    "get_drive": Row(0x33, "B", 1, [Field("drive", 0, "B", "drive")]), "get_inputs": Row(0x34, "", 0, []),
    "get_settings": Row(0x35, "B", 1, [Field("first", 0, "B", "setting")]),
    "set_setting": Row(0x36, "BH", 3, [Field("setting", 0, "B", "setting"), Field("value", 1, "H", "by unit")]),
    "get_counters": Row(0x37, "", 0, []), "clear_counters": Row(0x38, "", 0, []),
    "get_readers": Row(0x39, "", 0, []),
    "set_enrolment": Row(0x3A, "32s", 32, [Field("enrolment", 0, "32s", "bytes")]),
    "reboot_to_loader": Row(0x3B, "", 0, []),
    "get_record": Row(0x3C, "BH", 3, [Field("record", 0, "B", "record"), Field("offset", 1, "H", "bytes")]),
    "put_record": Row(0x3D, "BHH200s", 205, [
        Field("record", 0, "B", "record"), Field("size", 1, "H", "bytes"), Field("offset", 3, "H", "bytes"),
        Field("part", 5, "200s", "bytes"),
    ]),
    "get_image": Row(0x3E, "", 0, []), "measure": Row(0x3F, "B", 1, [Field("measurement", 0, "B", "measurement")]),
    "run_self_tests": Row(0x61, "", 0, []),
};

export const REPLIES = {
    "get_info": Row(0x10, "16s3BHB", 22, [
        Field("unit", 0, "16s", "bytes"), Field("firmware", 16, "B", "", 3), Field("tiles", 19, "H", "tiles"),
        Field("sets", 21, "B", "sets"),
    ]),
    "get_status": Row(0x11, "BBBBB4B4B4B6sIHHBBBBHBBB3BIIIIHBBB", 64, [
        Field("state", 0, "B", "state"), Field("fault", 1, "B", "fault"), Field("fault_side", 2, "B", "side"),
        Field("set_above", 3, "B", "set"), Field("set_whole", 4, "B", "0, 1"), Field("plan", 5, "B", "stacks", 4),
        Field("stacks", 9, "B", "stacks", 4), Field("loose_tiles", 13, "B", "tiles", 4),
        Field("inputs", 17, "6s", "bits"), Field("drives", 23, "I", "bits"), Field("lamps", 27, "H", "bits"),
        Field("deal", 29, "H", "deals"), Field("dealer", 31, "B", "seat"), Field("east", 32, "B", "seat"),
        Field("round_wind", 33, "B", "wind"), Field("deal_kind", 34, "B", "deal kind"),
        Field("pot", 35, "H", "chips"), Field("tiles", 37, "B", "tiles"), Field("dice_count", 38, "B", "dice"),
        Field("purpose", 39, "B", "purpose"), Field("dice", 40, "B", "pips", 3), Field("uptime_ms", 43, "I", "ms"),
        Field("stored_event", 47, "I", "event"), Field("newest_event", 51, "I", "event"), Field("wiring", 55, "I"),
        Field("frame_errors", 59, "H", "blocks"), Field("wall_mode", 61, "B", "wall mode"),
        Field("unchecked", 62, "B"), Field("sides_out", 63, "B", "bits"),
    ]),
    "roll_dice": Row(0x17, "3BI", 7, [Field("dice", 0, "B", "pips", 3), Field("roll", 3, "I", "roll")]),
    "get_wiring": Row(0x20, "IB45B32BBBB", 85, [
        Field("wiring", 0, "I"), Field("lanes", 4, "B", "bits"), Field("inputs", 5, "B", "wire", 45),
        Field("outputs", 50, "B", "wire", 32), Field("sorter", 82, "B", "sorter"), Field("sorter_places", 83, "B"),
        Field("sorter_lead_ms", 84, "B", "ms"),
    ]),
    "get_wires": Row(0x23, "I6sIH16B16H", 64, [
        Field("uptime_ms", 0, "I", "ms"), Field("wires", 4, "6s", "bits"), Field("outputs", 10, "I", "bits"),
        Field("newest_edge", 14, "H", "changes"), Field("edges", 16, "B", "wire, level", 16),
        Field("edge_times", 32, "H", "ms", 16),
    ]),
    "get_sorter": Row(0x25, "BBI32s", 38, [
        Field("sorter", 0, "B", "sorter"), Field("sorter_places", 1, "B"), Field("build", 2, "I", "builds"),
        Field("director", 6, "32s", "bytes"),
    ]),
    "get_dictionary": Row(0x27, "H200s", 202, [Field("size", 0, "H", "bytes"), Field("part", 2, "200s", "bytes")]),
    "get_samples": Row(0x2A, "B200s", 201, [
        Field("samples", 0, "B", "samples"), Field("noise", 1, "200s", "bytes"),
    ]),
    "get_noise": Row(0x2B, "BIIII", 17, [
        Field("windows", 0, "B", "windows"), Field("ones", 1, "I", "bits"), Field("changes", 5, "I", "bits"),
        Field("last_ones", 9, "I", "bits"), Field("last_changes", 13, "I", "bits"),
    ]),
    "get_fault_counts": Row(0x2D, "B32H", 65, [Field("size", 0, "B", "faults"), Field("counts", 1, "H", "", 32)]),
    "get_drive_times": Row(0x2E, "B16I", 65, [
        Field("size", 0, "B", "drives"), Field("tenths", 1, "I", "0.1 s", 16),
    ]),
    "get_self_tests": Row(0x2F, "BB16B16I", 82, [
        Field("size", 0, "B", "tests"), Field("testing", 1, "B", "self test"),
        Field("test_result", 2, "B", "test result", 16), Field("ages_s", 18, "I", "s", 16),
    ]),
    "get_drive": Row(0x33, "HBB", 4, [
        Field("limit_ms", 0, "H", "ms"), Field("input", 2, "B", "input"), Field("level", 3, "B", "0, 1"),
    ]),
    "get_inputs": Row(0x34, "I6sIBH16B16H", 65, [
        Field("uptime_ms", 0, "I", "ms"), Field("inputs", 4, "6s", "bits"), Field("drives", 10, "I", "bits"),
        Field("lamps", 14, "B", "bits"), Field("newest_edge", 15, "H", "changes"),
        Field("edges", 17, "B", "input, level", 16), Field("edge_times", 33, "H", "ms", 16),
    ]),
    "get_settings": Row(0x35, "B16H16H16H16H16B16B", 161, [
        Field("size", 0, "B", "settings"), Field("value", 1, "H", "by unit", 16),
        Field("default", 33, "H", "by unit", 16), Field("lowest", 65, "H", "by unit", 16),
        Field("highest", 97, "H", "by unit", 16), Field("setting_kind", 129, "B", "setting kind", 16),
        Field("setting_unit", 145, "B", "setting unit", 16),
    ]),
    "get_counters": Row(0x37, "IIHI4H", 22, [
        Field("boots", 0, "I", "starts"), Field("builds", 4, "I", "builds"), Field("deals", 8, "H", "deals"),
        Field("cleared_at", 10, "I", "builds"), Field("jams", 14, "H", "jams", 4),
    ]),
    "get_readers": Row(0x39, "H32s", 34, [Field("readers", 0, "H", "bits"), Field("enrolment", 2, "32s", "bytes")]),
    "get_record": Row(0x3C, "H200s", 202, [Field("size", 0, "H", "bytes"), Field("part", 2, "200s", "bytes")]),
    "get_image": Row(0x3E, "8s16s", 24, [Field("chip", 0, "8s", "bytes"), Field("image", 8, "16s", "bytes")]),
    "measure": Row(0x3F, "8I", 32, [Field("values", 0, "I", "", 8)]),
};

export const EVENTS = {
    "booted": Row(0x40, "3B", 3, [Field("firmware", 0, "B", "", 3)]),
    "state_changed": Row(0x41, "B", 1, [Field("state", 0, "B", "state")]),
    "command_accepted": Row(0x42, "BB", 2, [Field("message", 0, "B", "message"), Field("source", 1, "B", "source")]),
    "key_pressed": Row(0x43, "BB", 2, [Field("side", 0, "B", "side"), Field("key", 1, "B", "key")]),
    "build_started": Row(0x44, "B4BBBBB", 9, [
        Field("tile_set", 0, "B", "set"), Field("plan", 1, "B", "stacks", 4), Field("tiles", 5, "B", "tiles"),
        Field("dice_count", 6, "B", "dice"), Field("wash_s", 7, "B", "s"), Field("wall_mode", 8, "B", "wall mode"),
    ]),
    "side_done": Row(0x45, "BBI", 6, [
        Field("side", 0, "B", "side"), Field("stacks", 1, "B", "stacks"), Field("after_ms", 2, "I", "ms"),
    ]),
    "build_done": Row(0x46, "B4BIB", 10, [
        Field("tile_set", 0, "B", "set"), Field("stacks", 1, "B", "stacks", 4), Field("duration_ms", 5, "I", "ms"),
        Field("wash_s", 9, "B", "s"),
    ]),
    "walls_up": Row(0x47, "BH", 3, [Field("tile_set", 0, "B", "set"), Field("deal", 1, "H", "deals")]),
    "dice_rolled": Row(0x48, "BB3BBHI32s16sB", 61, [
        Field("seat", 0, "B", "seat"), Field("purpose", 1, "B", "purpose"), Field("dice", 2, "B", "pips", 3),
        Field("source", 5, "B", "source"), Field("deal", 6, "H", "deals"), Field("roll", 8, "I", "roll"),
        Field("seed", 12, "32s", "bytes"), Field("contribution", 44, "16s", "bytes"),
        Field("contributed", 60, "B", "0, 1"),
    ]),
    "fault": Row(0x49, "BBHH", 6, [
        Field("fault", 0, "B", "fault"), Field("side", 1, "B", "side"), Field("found", 2, "H", "tiles"),
        Field("wanted", 4, "H", "tiles"),
    ]),
    "fault_cleared": Row(0x4A, "BB", 2, [Field("fault", 0, "B", "fault"), Field("source", 1, "B", "source")]),
    "referee_called": Row(0x4B, "B", 1, [Field("side", 0, "B", "side")]),
    "notice": Row(0x4C, "BBB", 3, [
        Field("fault", 0, "B", "fault"), Field("side", 1, "B", "side"), Field("tries", 2, "B"),
    ]),
    "restored": Row(0x4D, "BBHBBBBHII", 18, [
        Field("set_above", 0, "B", "set"), Field("carriers", 1, "B", "carriers"), Field("deal", 2, "H", "deals"),
        Field("dealer", 4, "B", "seat"), Field("east", 5, "B", "seat"), Field("round_wind", 6, "B", "wind"),
        Field("deal_kind", 7, "B", "deal kind"), Field("pot", 8, "H", "chips"), Field("builds", 10, "I", "builds"),
        Field("boots", 14, "I", "starts"),
    ]),
    "dice_committed": Row(0x4E, "I32s", 36, [Field("roll", 0, "I", "roll"), Field("commitment", 4, "32s", "bytes")]),
    "setup_changed": Row(0x4F, "BBBB", 4, [
        Field("tiles", 0, "B", "tiles"), Field("dice_count", 1, "B", "dice"), Field("source", 2, "B", "source"),
        Field("sides_out", 3, "B", "bits"),
    ]),
    "jog_done": Row(0x50, "BHB", 4, [
        Field("drive", 0, "B", "drive"), Field("ran_ms", 1, "H", "ms"), Field("jog_end", 3, "B", "jog end"),
    ]),
    "tag_appeared": Row(0x51, "B8s", 9, [Field("reader", 0, "B", "reader"), Field("tag", 1, "8s", "bytes")]),
    "tag_left": Row(0x52, "B8s", 9, [Field("reader", 0, "B", "reader"), Field("tag", 1, "8s", "bytes")]),
    "tag_moved": Row(0x53, "BB8s", 10, [
        Field("from", 0, "B", "reader"), Field("to", 1, "B", "reader"), Field("tag", 2, "8s", "bytes"),
    ]),
    "tag_unread": Row(0x54, "B", 1, [Field("reader", 0, "B", "reader")]),
    "wall_sealed": Row(0x55, "HBB32s", 36, [
        Field("deal", 0, "H", "deals"), Field("tiles", 2, "B", "tiles"), Field("unread", 3, "B", "tiles"),
        Field("commitment", 4, "32s", "bytes"),
    ]),
    "wall_revealed": Row(0x56, "H32s", 34, [Field("deal", 0, "H", "deals"), Field("nonce", 2, "32s", "bytes")]),
    "wall_part": Row(0x57, "HBB208s", 212, [
        Field("deal", 0, "H", "deals"), Field("first", 2, "B", "place"), Field("tiles", 3, "B", "tiles"),
        Field("tags", 4, "208s", "bytes"),
    ]),
    "wall_unverifiable": Row(0x58, "HB", 3, [
        Field("deal", 0, "H", "deals"), Field("seal_loss", 2, "B", "seal loss"),
    ]),
    "claim": Row(0x59, "B", 1, [Field("seat", 0, "B", "seat")]),
    "crashed": Row(0x5A, "24sH20sB", 47, [
        Field("module", 0, "24s", "bytes"), Field("line", 24, "H", "line"), Field("error", 26, "20s", "bytes"),
        Field("times", 46, "B"),
    ]),
    "wiring_changed": Row(0x5B, "I", 4, [Field("wiring", 0, "I")]),
    "wire_jogged": Row(0x5C, "BHB", 4, [
        Field("output", 0, "B"), Field("ran_ms", 1, "H", "ms"), Field("jog_end", 3, "B", "jog end"),
    ]),
    "prescription_judged": Row(0x5D, "HB32s", 35, [
        Field("deal", 0, "H", "deals"), Field("refusal", 2, "B", "refusal"),
        Field("prescription_hash", 3, "32s", "bytes"),
    ]),
    "wall_prescribed": Row(0x5E, "H32sBB", 36, [
        Field("deal", 0, "H", "deals"), Field("prescription_hash", 2, "32s", "bytes"),
        Field("inferred", 34, "B", "tiles"), Field("match", 35, "B", "0, 1"),
    ]),
    "evidence": Row(0x5F, "BBBBII", 12, [
        Field("fault", 0, "B", "fault"), Field("drive", 1, "B", "drive"), Field("input", 2, "B", "input"),
        Field("output", 3, "B", "place"), Field("drives", 4, "I", "drives"), Field("sensed", 8, "I", "drives"),
    ]),
};

export const STATUSES = {
    "status": Row(0x60, "BBBBB4B4B4B6sIHHBBBBHBBB3BIIIIHBBB", 64, [
        Field("state", 0, "B", "state"), Field("fault", 1, "B", "fault"), Field("fault_side", 2, "B", "side"),
        Field("set_above", 3, "B", "set"), Field("set_whole", 4, "B", "0, 1"), Field("plan", 5, "B", "stacks", 4),
        Field("stacks", 9, "B", "stacks", 4), Field("loose_tiles", 13, "B", "tiles", 4),
        Field("inputs", 17, "6s", "bits"), Field("drives", 23, "I", "bits"), Field("lamps", 27, "H", "bits"),
        Field("deal", 29, "H", "deals"), Field("dealer", 31, "B", "seat"), Field("east", 32, "B", "seat"),
        Field("round_wind", 33, "B", "wind"), Field("deal_kind", 34, "B", "deal kind"),
        Field("pot", 35, "H", "chips"), Field("tiles", 37, "B", "tiles"), Field("dice_count", 38, "B", "dice"),
        Field("purpose", 39, "B", "purpose"), Field("dice", 40, "B", "pips", 3), Field("uptime_ms", 43, "I", "ms"),
        Field("stored_event", 47, "I", "event"), Field("newest_event", 51, "I", "event"), Field("wiring", 55, "I"),
        Field("frame_errors", 59, "H", "blocks"), Field("wall_mode", 61, "B", "wall mode"),
        Field("unchecked", 62, "B"), Field("sides_out", 63, "B", "bits"),
    ]),
};

export const FROZEN = ["get_info", "get_dictionary", "begin_service", "end_service", "reboot_to_loader", "get_record", "get_image"];

export const LISTS = {
    "readers": {"hand": 0, "melds": 1, "discards": 2},
    "inputs of a side": {
        "belt_full": 0, "count_eye": 1, "head_home": 2, "head_pushed": 3, "lift_up": 4, "lift_down": 5,
        "lift_key": 6, "dice_key": 7, "referee_key": 8,
    },
    "inputs of the table": {
        "lid_is_open": 36, "lid_is_closed": 37, "emergency_stop": 38, "disc_vane": 39, "ring_vane": 40,
        "claim_key_0": 41, "claim_key_1": 42, "claim_key_2": 43, "claim_key_3": 44,
    },
    "drives of a side": {"conveyor": 0, "conveyor_reverse": 1, "head": 2, "lift_raise": 3, "lift_lower": 4},
    "drives of the table": {"disc": 0, "ring": 1, "lid_open": 22, "lid_close": 23},
    "lamps of a side": {"lift_lamp": 0, "dice_lamp": 1},
    "parts of a carrier": {"reads_back": 4, "sensed": 5, "pumped": 6, "interlocked": 7},
    "sorters": {"plain": 0, "mouth": 1, "flap": 2, "ring": 3},
    "sorter drives of a side": {"scraper": 0, "knock_off": 1, "flap_open": 2},
    "sorter switches of a side": {"scraper_back": 0, "scraper_out": 1, "knock_home": 2, "flap_shut": 3, "flap_wide": 4},
    "store moves": {"rests": 0, "in": 1, "out": 2},
    "refusals": {
        "ok": 0, "unknown_session": 1, "unknown_message": 2, "wrong_length": 3, "bad_argument": 4, "wrong_state": 5,
        "fault_active": 6, "no_random": 7, "version_mismatch": 8, "not_ready": 9, "forbidden": 10, "walls_below": 11,
        "no_consent": 12, "no_stop_wired": 13, "wired_twice": 14, "no_end_wired": 15, "no_sorter": 16,
        "no_director": 17, "bad_prescription": 18, "impossible": 19, "other_game": 20, "other_table": 21,
        "other_set": 22, "expired": 23, "not_enrolled": 24, "unsigned": 25, "prescribed_already": 26, "no_room": 27,
        "all_sides": 28, "is_out": 29, "stop_untested": 30,
    },
    "states": {
        "starting": 0, "idle": 1, "building": 2, "ready": 3, "lid_opening": 4, "lid_open": 5, "lid_closing": 6,
        "lifting": 7, "walls_up": 8, "lowering": 9, "shuffling": 10, "fault": 11, "pausing": 12,
        "stopped_raising": 13, "stopped_lowering": 14, "service": 15, "holding": 16, "asking": 17, "checking": 18,
    },
    "faults": {
        "none": 0, "side_short": 1, "side_over": 2, "tile_missing": 3, "tile_too_many": 4, "foreign_tile": 5,
        "lane_jam": 6, "head_jam": 7, "push_without_count": 8, "count_without_push": 9, "eye_blocked": 10,
        "eye_dead": 11, "belt_full_stuck": 12, "face_up_stuck": 13, "slow_build": 14, "disc_stalled": 15,
        "ring_stalled": 16, "lift_stall": 17, "lift_sinking": 18, "lift_limits": 19, "lid_obstructed": 20,
        "lid_limits": 21, "emergency_stop": 22, "stopped": 23, "run_limit": 24, "interlock": 25,
        "plan_impossible": 26, "brown_out": 27, "watchdog_reset": 28, "random_failed": 29, "store_corrupt": 30,
        "host_silent": 31, "store_failed": 32, "walls_unknown": 33, "reader_silent": 34, "crashed": 35,
        "crash_loop": 36, "node_silent": 37, "node_doubled": 38, "line_disturbed": 39, "wiring_unknown": 40,
        "key_stuck": 41, "wrong_set": 42, "wash_cut": 43, "foreign_tag": 44, "sorter_stuck": 45, "wall_differs": 46,
        "prescribed_late": 47, "drum_unchecked": 48, "drum_empty": 49, "walls_undrawn": 50, "two_sets": 51,
        "lane_unplugged": 52, "drive_runs": 53, "drive_dead": 54, "no_supply": 55, "output_flipped": 56,
        "input_stuck": 57, "lid_switches": 58, "self_test_failed": 59,
    },
    "keys": {"lift": 0, "dice": 1, "referee": 2},
    "sources": {"side_0": 0, "side_1": 1, "side_2": 2, "side_3": 3, "host": 4},
    "carriers": {"empty": 0, "part": 1, "whole": 2, "unknown": 3, "held": 4, "unchecked": 5},
    "plan modes": {"fixed": 0, "held": 1, "turned": 2}, "wall modes": {"ordinary": 0, "strict": 1, "hands": 2},
    "purposes": {"cut": 0, "east": 1, "round_wind": 2, "seats": 3}, "deal kinds": {"usual": 0, "goulash": 1},
    "jog ends": {"time": 0, "switch": 1, "key": 2, "host": 3, "stop": 4, "fault": 5},
    "seal losses": {"no_random": 0, "power": 1, "not_back": 2}, "records": {"state": 0, "enrolment": 1, "wiring": 2},
    "measurements": {"collections": 0, "flash": 1, "noise": 2, "inputs": 3, "outputs": 4, "polls": 5},
    "self tests": {"interlocks": 0, "noise": 1, "store": 2, "image": 3, "memory": 4, "clocks": 5, "stop_input": 6},
    "test results": {"never": 0, "passed": 1, "failed": 2, "cannot": 3},
    "setting kinds": {"timing": 0, "limit": 1, "size": 2, "choice": 3},
    "setting units": {"ms": 0, "s": 1, "tiles": 2, "dice": 3, "places": 4, "sides": 5, "h": 6},
    "settings": {
        "debounce_ms": 0, "stroke_limit_ms": 1, "belt_return_ms": 2, "shortest_dark_ms": 3, "longest_dark_ms": 4,
        "standing_limit_ms": 5, "lift_limit_ms": 6, "lid_limit_ms": 7, "least_stroke_ms": 8, "least_lift_up_ms": 9,
        "least_lift_down_ms": 10, "least_lid_ms": 11, "disc_limit_ms": 12, "ring_limit_ms": 13,
        "starved_limit_ms": 14, "check_ms": 15, "set_tiles": 16, "dice_count": 17, "wash_s": 18, "hold_places": 19,
        "hand_wait_ms": 20, "sides_out": 21, "stand_ms": 22, "stop_test_h": 23,
    },
};

export const SETTINGS = {
    "debounce_ms": Setting(0, "timing", "ms", 5, 2, 20, "a level of an input counts once it has been steady for so long"),
    "stroke_limit_ms": Setting(1, "limit", "ms", 1500, 450, 1900, "a stroke of a stacking head that takes longer is tried again"),
    "belt_return_ms": Setting(2, "timing", "ms", 800, 400, 3000, "a belt runs back for so long to be empty"),
    "shortest_dark_ms": Setting(3, "limit", "ms", 55, 15, 100, "a tile of the set darkens the counting eye for so long at least"),
    "longest_dark_ms": Setting(4, "limit", "ms", 110, 50, 190, "a tile of the set darkens the counting eye for so long at the most"),
    "standing_limit_ms": Setting(5, "limit", "ms", 2500, 1000, 10000, "tiles that stand before an open gate for so long are stuck"),
    "lift_limit_ms": Setting(6, "limit", "ms", 4500, 1700, 4800, "a lift that takes longer is tried again"),
    "lid_limit_ms": Setting(7, "limit", "ms", 3500, 1200, 3800, "a lid that takes longer is tried again"),
    "least_stroke_ms": Setting(8, "limit", "ms", 450, 150, 900, "a head that is home again, or pushes again, sooner has a vane at fault"),
    "least_lift_up_ms": Setting(9, "limit", "ms", 2300, 1000, 4000, "an upper switch of a lift that comes sooner after the way has begun is not believed"),
    "least_lift_down_ms": Setting(10, "limit", "ms", 1800, 1000, 4000, "a lower switch of a lift that comes sooner after the way has begun is not believed"),
    "least_lid_ms": Setting(11, "limit", "ms", 1250, 600, 3000, "a switch of the lid that comes sooner after the way has begun is not believed"),
    "disc_limit_ms": Setting(12, "limit", "ms", 6000, 1000, 9000, "a disc whose vane does not come for so long is started again"),
    "ring_limit_ms": Setting(13, "limit", "ms", 6000, 2000, 9000, "a ring whose vane does not come for so long is started again"),
    "starved_limit_ms": Setting(14, "timing", "ms", 8000, 4000, 15000, "no tile has come in any lane for so long: the drum is shaken"),
    "check_ms": Setting(15, "timing", "ms", 4000, 2000, 8000, "the drum is run for so long after the last stack, to see whether a tile is left"),
    "set_tiles": Setting(16, "size", "tiles", 108, 108, 152, "tiles of a set, the `tiles` of get_info; with another size the plan is that of a table that nobody has told any"),
    "dice_count": Setting(17, "size", "dice", 2, 1, 3, "dice that are thrown at once, unless a throw says how many"),
    "wash_s": Setting(18, "choice", "s", 60, 0, 240, "the disc washes a set for so long before it is built, unless the plan says how long"),
    "hold_places": Setting(19, "choice", "places", 0, 0, 38, "a wall sorter holds a tile that is wanted within so many places of its side; 0: as many as its places allow"),
    "hand_wait_ms": Setting(20, "choice", "ms", 1000, 500, 5000, "a lift or the lid that did not arrive stands for so long before its second try: time to take a hand away"),
    "sides_out": Setting(21, "size", "sides", 0, 0, 8, "the side that builds no wall and whose lane and lift stand still: 1, 2, 4 or 8 for side 0, 1, 2 or 3; 0: none"),
    "stand_ms": Setting(22, "choice", "ms", 150, 0, 1000, "a motor stands for so long before it turns the other way"),
    "stop_test_h": Setting(23, "choice", "h", 0, 0, 24, "no set is built from rest when the emergency stop was not pressed and released for so long; 0: never asked for"),
};

export const INPUTS = [
    "belt_full_0", "count_eye_0", "head_home_0", "head_pushed_0", "lift_up_0", "lift_down_0", "lift_key_0",
    "dice_key_0", "referee_key_0", "belt_full_1", "count_eye_1", "head_home_1", "head_pushed_1", "lift_up_1",
    "lift_down_1", "lift_key_1", "dice_key_1", "referee_key_1", "belt_full_2", "count_eye_2", "head_home_2",
    "head_pushed_2", "lift_up_2", "lift_down_2", "lift_key_2", "dice_key_2", "referee_key_2", "belt_full_3",
    "count_eye_3", "head_home_3", "head_pushed_3", "lift_up_3", "lift_down_3", "lift_key_3", "dice_key_3",
    "referee_key_3", "lid_is_open", "lid_is_closed", "emergency_stop", "disc_vane", "ring_vane", "claim_key_0",
    "claim_key_1", "claim_key_2", "claim_key_3",
];

export const DRIVES = [
    "disc", "ring", "conveyor_0", "conveyor_reverse_0", "head_0", "lift_raise_0", "lift_lower_0", "conveyor_1",
    "conveyor_reverse_1", "head_1", "lift_raise_1", "lift_lower_1", "conveyor_2", "conveyor_reverse_2", "head_2",
    "lift_raise_2", "lift_lower_2", "conveyor_3", "conveyor_reverse_3", "head_3", "lift_raise_3", "lift_lower_3",
    "lid_open", "lid_close",
];

export const LAMPS = [
    "lift_lamp_0", "dice_lamp_0", "lift_lamp_1", "dice_lamp_1", "lift_lamp_2", "dice_lamp_2", "lift_lamp_3",
    "dice_lamp_3",
];

export const READERS = [
    "head_0", "head_1", "head_2", "head_3", "hand_0", "melds_0", "discards_0", "hand_1", "melds_1", "discards_1",
    "hand_2", "melds_2", "discards_2", "hand_3", "melds_3", "discards_3",
];
